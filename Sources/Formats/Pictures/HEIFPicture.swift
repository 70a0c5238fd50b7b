import Bytes
import CHeif
import Codecs
import PictureCalls

/// An HEIC or an AVIF, by libheif: the one picture that the file names as the main one.
@safe
final class HEIFPicture: EncodedPicture {
    let width: Int
    let height: Int
    private let bytes: [UInt8]
    private let context: OpaquePointer
    private let handle: OpaquePointer

    init(_ bytes: [UInt8]) throws(PictureProblem) {
        self.bytes = bytes
        guard let context = unsafe heif_context_alloc() else { throw .unreadable("there is no memory to decode it") }
        var handle: OpaquePointer?
        do throws(PictureProblem) {
            // No more threads than the decoder behind it has by itself.
            unsafe heif_context_set_max_decoding_threads(context, 0)
            // It keeps a copy.
            try unsafe Self.check(heif_context_read_from_memory(context, bytes, bytes.count, nil))
            try unsafe Self.check(heif_context_get_primary_image_handle(context, &handle))
            guard let found = unsafe handle else { throw .damaged("it has no main picture") }
            width = unsafe Int(heif_image_handle_get_width(found))
            height = unsafe Int(heif_image_handle_get_height(found))
            try PictureLimit.check(width: width, height: height)
            unsafe (self.context, self.handle) = unsafe (context, found)
        } catch {
            unsafe heif_image_handle_release(handle)
            unsafe heif_context_free(context)
            throw error
        }
    }

    /// Looks for plugins, of which Debian has none.
    static func prepare() { _ = unsafe heif_init(nil) }

    deinit {
        unsafe heif_image_handle_release(handle)
        unsafe heif_context_free(context)
    }

    /// libheif turns the picture as the file asks for: EXIF's number, which says the same again, does not count.
    var notes: PictureNotes {
        get throws(PictureProblem) {
            var notes = PictureNotes(width: width, height: height)
            // The planes that are decoded, and the colours that are made of them.
            let depth = unsafe heif_image_handle_get_luma_bits_per_pixel(handle) > 8 ? 2 : 1
            notes.decodingBytes = width * height * (hasAlpha ? 7 : 5) * depth + bytes.count
            for (kind, block) in blocks {
                switch kind {
                case .exif: try notes.read(exif: Self.exif(block)[...], turns: false)
                case .xmp: notes.read(xmp: block[...])
                }
            }
            return notes
        }
    }

    var profile: [UInt8] {
        let count = unsafe heif_image_handle_get_raw_color_profile_size(handle)
        guard (1...(4 << 20)).contains(count) else { return [] }
        var profile = [UInt8](repeating: 0, count: count)
        return unsafe heif_image_handle_get_raw_color_profile(handle, &profile).code == heif_error_Ok ? profile : []
    }

    func pixels(atLeast width: Int, _ height: Int) throws(PictureProblem) -> PixelSurface {
        guard let options = unsafe heif_decoding_options_alloc() else {
            throw .unreadable("there is no memory to decode it")
        }
        defer { unsafe heif_decoding_options_free(options) }
        unsafe options.pointee.convert_hdr_to_8bit = 1
        unsafe options.pointee.strict_decoding = 1
        let chroma = hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB
        var decoded: OpaquePointer?
        try unsafe Self.check(heif_decode_image(handle, &decoded, heif_colorspace_RGB, chroma, options))
        defer { unsafe heif_image_release(decoded) }
        var stride: Int32 = 0
        guard let rows = unsafe heif_image_get_plane_readonly(decoded, heif_channel_interleaved, &stride),
            unsafe heif_image_get_width(decoded, heif_channel_interleaved) >= Int32(self.width),
            unsafe heif_image_get_height(decoded, heif_channel_interleaved) >= Int32(self.height)
        else { throw .damaged("it has fewer pixels than it says") }
        let factor = max(1, min(self.width / max(1, width), self.height / max(1, height)))
        let all = self.height
        return try unsafe PixelSurface.shrunk(self.width, self.height, by: factor, layout) { shrinking in
            for y in 0..<all { unsafe waymark_shrinking_add(&shrinking, rows.advanced(by: y * Int(stride))) }
        }
    }

    private var hasAlpha: Bool { unsafe heif_image_handle_has_alpha_channel(handle) != 0 }

    private var layout: waymark_layout {
        guard hasAlpha else { return WAYMARK_RGB }
        return unsafe heif_image_handle_is_premultiplied_alpha(handle) != 0 ? WAYMARK_RGBA_MULTIPLIED : WAYMARK_RGBA
    }

    private static func check(_ error: heif_error) throws(PictureProblem) {
        guard unsafe error.code != heif_error_Ok else { return }
        let said = unsafe error.message.map { unsafe String(cString: $0) } ?? "error \(error.code.rawValue)"
        let reason = String(said.until("\n", "\r"))
        switch unsafe (error.code, error.subcode) {
        case (_, heif_suberror_End_of_data): throw .truncated
        case (heif_error_Memory_allocation_error, heif_suberror_Security_limit_exceeded): throw .damaged(reason)
        case (heif_error_Memory_allocation_error, _): throw .unreadable(reason)
        case (heif_error_Unsupported_filetype, _), (heif_error_Unsupported_feature, _): throw .unsupported(reason)
        default: throw .damaged(reason)
        }
    }
}

extension HEIFPicture {
    private enum Block { case exif, xmp }
    /// More bytes of notes are not looked at.
    private static let maximumBlockBytes = 4 << 20
    private static let blockCount: Int32 = 16

    /// What is written beside the picture.
    private var blocks: [(Block, [UInt8])] {
        var ids = [heif_item_id](repeating: 0, count: Int(Self.blockCount))
        let count = unsafe heif_image_handle_get_list_of_metadata_block_IDs(handle, nil, &ids, Self.blockCount)
        return ids.prefix(max(0, Int(count))).compactMap { id in
            guard let kind = kind(of: id), let bytes = block(id) else { return nil }
            return (kind, bytes)
        }
    }

    private func kind(of id: heif_item_id) -> Block? {
        func text(_ start: UnsafePointer<CChar>?) -> String { unsafe start.map { unsafe String(cString: $0) } ?? "" }
        switch unsafe text(heif_image_handle_get_metadata_type(handle, id)) {
        case "Exif": return .exif
        case "mime":
            let content = unsafe text(heif_image_handle_get_metadata_content_type(handle, id))
            return content == "application/rdf+xml" ? .xmp : nil
        default: return nil
        }
    }

    private func block(_ id: heif_item_id) -> [UInt8]? {
        let count = unsafe heif_image_handle_get_metadata_size(handle, id)
        guard (1...Self.maximumBlockBytes).contains(count) else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe heif_image_handle_get_metadata(handle, id, &bytes).code == heif_error_Ok ? bytes : nil
    }

    /// The block begins with the distance from there to EXIF's first byte; "Exif" and two zeros may stand before that.
    private static func exif(_ block: [UInt8]) -> [UInt8] {
        guard block.count >= 4 else { return [] }
        let distance = block[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard distance <= block.count - 4 else { return [] }
        return Array("Exif\0\0".utf8) + block[(4 + distance)...]
    }
}
