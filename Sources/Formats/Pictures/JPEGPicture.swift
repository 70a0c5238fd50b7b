import CTurboJPEG
import PictureCalls

/// A JPEG, by libjpeg-turbo. It is decoded in an eighth to the whole of its size: most of the work of a large one is
/// avoided.
struct JPEGPicture: EncodedPicture {
    private let bytes: [UInt8]
    private let header: JPEGHeader

    init(_ bytes: [UInt8]) throws(PictureProblem) {
        self.bytes = bytes
        header = try JPEGHeader(bytes)
        try header.check()
    }

    var width: Int { header.width }
    var height: Int { header.height }

    var notes: PictureNotes {
        get throws(PictureProblem) {
            var notes = PictureNotes(width: width, height: height)
            if let exif = header.notes.exif { try notes.read(exif: bytes[exif], turns: true) }
            if let xmp = header.notes.xmp { notes.read(xmp: bytes[xmp]) }
            notes.decodingBytes = decodingBytes
            return notes
        }
    }

    var profile: [UInt8] { header.notes.profile.flatMap { bytes[$0] } }

    /// libjpeg keeps all coefficients of a picture with several passes, whatever the size it is decoded into.
    private var decodingBytes: Int {
        let scans = try? JPEGHeader.checkScans(bytes)
        return header.isProgressive || scans ?? 1 > 1 ? header.coefficientBytes : 0
    }

    func pixels(atLeast width: Int, _ height: Int) throws(PictureProblem) -> PixelSurface {
        try JPEGHeader.checkScans(bytes)
        return try JPEGDecoder.decode(bytes, header, atLeast: width, height)
    }
}
