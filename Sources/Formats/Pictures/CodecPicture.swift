import Codecs
import PictureCalls

/// A PNG, by libpng.
struct PNGPicture: EncodedPicture {
    private let bytes: [UInt8]
    private let head: CodecHead

    init(_ bytes: [UInt8]) throws(PictureProblem) {
        self.bytes = bytes
        head = try unsafe CodecHead { unsafe waymark_png_head(bytes, bytes.count, &$0, &$1) }
    }

    var width: Int { head.width }
    var height: Int { head.height }
    var profile: [UInt8] { head.profile }
    var notes: PictureNotes { get throws(PictureProblem) { try head.notes } }

    func pixels(atLeast width: Int, _ height: Int) throws(PictureProblem) -> PixelSurface {
        try unsafe head.pixels(atLeast: width, height, WAYMARK_RGBA) { shrinking, message in
            unsafe waymark_png_pixels(bytes, bytes.count, &shrinking, &message)
        }
    }
}

/// A TIFF, by libtiff; of several pictures in it the first.
struct TIFFPicture: EncodedPicture {
    private let bytes: [UInt8]
    private let head: CodecHead

    init(_ bytes: [UInt8]) throws(PictureProblem) {
        self.bytes = bytes
        head = try unsafe CodecHead { unsafe waymark_tiff_head(bytes, bytes.count, &$0, &$1) }
    }

    var width: Int { head.width }
    var height: Int { head.height }
    var profile: [UInt8] { head.profile }
    var notes: PictureNotes { get throws(PictureProblem) { try head.notes } }

    func pixels(atLeast width: Int, _ height: Int) throws(PictureProblem) -> PixelSurface {
        try unsafe head.pixels(atLeast: width, height, WAYMARK_RGBA_MULTIPLIED) { shrinking, message in
            unsafe waymark_tiff_pixels(bytes, bytes.count, &shrinking, &message)
        }
    }
}

/// What the C parts of `Codecs` say of a file.
struct CodecHead {
    let width: Int
    let height: Int
    let profile: [UInt8]
    private let decodingBytes: Int
    private let orientation: Int
    private let position: NotedPosition?
    private let exif: [UInt8]
    private let xmp: [UInt8]
    private let texts: (title: [UInt8], author: [UInt8], licence: [UInt8])
    private let taken: (time: [UInt8], offset: [UInt8])

    init(_ read: (inout waymark_head, inout CodecMessage.Text) -> Int32) throws(PictureProblem) {
        var head = unsafe waymark_head()
        defer { unsafe waymark_head_free(&head) }
        var message = CodecMessage.empty
        guard unsafe read(&head, &message) == 0 else { throw CodecMessage.problem(message) }
        (width, height) = unsafe (Int(head.width), Int(head.height))
        try PictureLimit.check(width: width, height: height)
        profile = unsafe head.profile.copy
        decodingBytes = Int(clamping: unsafe head.decoding_bytes)
        orientation = unsafe Int(head.orientation)
        position =
            unsafe head.has_position == 0
            ? nil : NotedPosition(latitude: unsafe head.latitude, longitude: unsafe head.longitude)
        (exif, xmp) = unsafe (head.exif.copy, head.xmp.copy)
        texts = unsafe (head.title.copy, head.author.copy, head.licence.copy)
        taken = unsafe (head.taken.copy, head.offset.copy)
    }

    var notes: PictureNotes {
        get throws(PictureProblem) {
            var notes = PictureNotes(width: width, height: height)
            notes.decodingBytes = decodingBytes
            notes.turn(by: orientation)
            if !exif.isEmpty { try notes.read(exif: (Array("Exif\0\0".utf8) + exif)[...], turns: true) }
            if let position { notes.position = notes.checked(position) }
            notes.add(title: texts.title, author: texts.author, licence: texts.licence)
            if var time = ClockTime(exif: taken.time) {
                time.offsetMinutes = ClockTime.offset(taken.offset) ?? time.offsetMinutes
                notes.take(time)
            }
            if !xmp.isEmpty { notes.read(xmp: xmp[...]) }
            return notes
        }
    }

    /// The pixels, made smaller by a whole factor while they are read.
    func pixels(
        atLeast width: Int, _ height: Int, _ layout: waymark_layout,
        _ read: (inout waymark_shrinking, inout CodecMessage.Text) -> Int32
    ) throws(PictureProblem) -> PixelSurface {
        let factor = max(1, min(self.width / max(1, width), self.height / max(1, height)))
        return try unsafe PixelSurface.shrunk(self.width, self.height, by: factor, layout) {
            shrinking throws(PictureProblem) in
            var message = CodecMessage.empty
            guard unsafe read(&shrinking, &message) == 0 else { throw CodecMessage.problem(message) }
        }
    }
}

extension PixelSurface {
    /// Pixels of `width` × `height`, given row by row, made smaller by a factor.
    static func shrunk(
        _ width: Int, _ height: Int, by factor: Int, _ layout: waymark_layout,
        _ fill: (inout waymark_shrinking) throws(PictureProblem) -> Void
    ) throws(PictureProblem) -> PixelSurface {
        let surface = try PixelSurface(width: (width + factor - 1) / factor, height: (height + factor - 1) / factor)
        let stride = surface.stride
        let result: Result<Void, PictureProblem> = unsafe surface.withPixels { pixels in
            var shrinking = unsafe waymark_shrinking(
                target: pixels.baseAddress, stride: stride, width: UInt32(width), height: UInt32(height),
                factor: UInt32(factor), layout: layout, sums: nil, row: 0)
            guard unsafe waymark_shrinking_begin(&shrinking) == 0 else {
                return .failure(.unreadable("there is no memory to decode it"))
            }
            defer { unsafe waymark_shrinking_end(&shrinking) }
            return Result { () throws(PictureProblem) in unsafe try fill(&shrinking) }
        }
        try result.get()
        return surface
    }
}

/// Why a C library could not read a file, in its words.
enum CodecMessage {
    /// A text of C with room for 160 bytes.
    typealias Text = [CChar]
    static let empty = Text(repeating: 0, count: 160)

    static func problem(_ message: Text) -> PictureProblem {
        problem(String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// The libraries' words for files that end too early, and for memory.
    static func problem(_ reason: String) -> PictureProblem {
        let lower = reason.lowercased()
        func says(_ words: String...) -> Bool { words.contains(where: lower.contains) }
        if says("truncated", "not enough data", "read error", "end of file", "end of data") { return .truncated }
        if says("no memory", "out of memory", "insufficient memory") { return .unreadable(reason) }
        if says("unsupported", "sorry", "not supported", "not configured", "max_mem", "limit") {
            return .unsupported(reason)
        }
        return .damaged(reason.isEmpty ? "there is no picture in it" : reason)
    }
}

extension waymark_block {
    fileprivate var copy: [UInt8] { unsafe Array(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count)) }
}
