import CWebP
import Codecs
import PictureCalls

/// A WebP, by libwebp; of an animation the first frame.
@safe
struct WebPPicture: EncodedPicture {
    let width: Int
    let height: Int
    let profile: [UInt8]
    private let frame: [UInt8]
    private let exif: [UInt8]
    private let xmp: [UInt8]

    init(_ bytes: [UInt8]) throws(PictureProblem) {
        var state = WEBP_DEMUX_PARSE_ERROR
        let parts = unsafe bytes.withUnsafeBufferPointer { buffer -> Parts? in
            guard let demux = unsafe waymark_webp_demux(buffer.baseAddress, buffer.count, &state) else { return nil }
            defer { unsafe WebPDemuxDelete(demux) }
            return unsafe Parts(demux)
        }
        guard state == WEBP_DEMUX_DONE else {
            throw state == WEBP_DEMUX_PARSE_ERROR ? .damaged("its parts make no WebP") : .truncated
        }
        guard let parts else { throw .damaged("it has no picture in it") }
        (width, height) = (parts.width, parts.height)
        (frame, profile, exif, xmp) = (parts.frame, parts.profile, parts.exif, parts.xmp)
        try PictureLimit.check(width: width, height: height)
    }

    var notes: PictureNotes {
        get throws(PictureProblem) {
            var notes = PictureNotes(width: width, height: height)
            // What a lossless one takes; another takes less than half of it.
            notes.decodingBytes = width * height * 4
            if !exif.isEmpty {
                let mark = Array("Exif\0\0".utf8)
                try notes.read(exif: (exif.starts(with: mark) ? exif : mark + exif)[...], turns: true)
            }
            if !xmp.isEmpty { notes.read(xmp: xmp[...]) }
            return notes
        }
    }

    func pixels(atLeast width: Int, _ height: Int) throws(PictureProblem) -> PixelSurface {
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        let status = unsafe waymark_webp_pixels(
            frame, frame.count, &pixels, Int32(width * 4), Int32(width), Int32(height))
        switch status {
        case VP8_STATUS_OK: break
        case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED: throw .truncated
        case VP8_STATUS_OUT_OF_MEMORY: throw .unreadable("there is no memory to decode it")
        case VP8_STATUS_UNSUPPORTED_FEATURE: throw .unsupported("a kind of WebP that libwebp does not read")
        default: throw .damaged("libwebp stops with error \(status.rawValue)")
        }
        return try unsafe PixelSurface.shrunk(width, height, by: 1, WAYMARK_BGRA_MULTIPLIED) { shrinking in
            unsafe pixels.withUnsafeBufferPointer { pixels in
                for y in 0..<height {
                    unsafe waymark_shrinking_add(&shrinking, pixels.baseAddress?.advanced(by: y * width * 4))
                }
            }
        }
    }

    /// Copies of what is in the file.
    private struct Parts {
        let width: Int
        let height: Int
        let frame: [UInt8]
        let profile: [UInt8]
        let exif: [UInt8]
        let xmp: [UInt8]

        init?(_ demux: OpaquePointer) {
            var first = unsafe WebPIterator()
            guard unsafe WebPDemuxGetFrame(demux, 1, &first) != 0 else { return nil }
            defer { unsafe WebPDemuxReleaseIterator(&first) }
            guard unsafe first.complete != 0 else { return nil }
            (width, height) = unsafe (Int(first.width), Int(first.height))
            frame = unsafe Self.copy(first.fragment)
            profile = unsafe Self.chunk("ICCP", demux)
            exif = unsafe Self.chunk("EXIF", demux)
            xmp = unsafe Self.chunk("XMP ", demux)
        }

        private static func chunk(_ name: String, _ demux: OpaquePointer) -> [UInt8] {
            var found = unsafe WebPChunkIterator()
            guard unsafe WebPDemuxGetChunk(demux, name, 1, &found) != 0 else { return [] }
            defer { unsafe WebPDemuxReleaseChunkIterator(&found) }
            return unsafe copy(found.chunk)
        }

        private static func copy(_ data: WebPData) -> [UInt8] {
            unsafe Array(UnsafeBufferPointer(start: data.bytes, count: data.bytes == nil ? 0 : data.size))
        }
    }
}
