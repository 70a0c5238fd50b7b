package import PictureCalls

/// A picture's file of one kind: what its head says, and its pixels.
protocol EncodedPicture {
    /// Reads the head; throws `truncated` when the bytes, which may be the start of a file, end before that.
    init(_ bytes: [UInt8]) throws(PictureProblem)

    /// Pixels as they are stored, before any turn.
    var width: Int { get }
    var height: Int { get }
    var notes: PictureNotes { get throws(PictureProblem) }
    /// An ICC profile of the colours; empty when there is none.
    var profile: [UInt8] { get }

    /// The pixels, as they are stored, in a size that is cheap to get and of at least `width` × `height`. Throws when
    /// the picture is not complete.
    func pixels(atLeast width: Int, _ height: Int) throws(PictureProblem) -> PixelSurface
}

/// The kinds of pictures that are read, known by how their bytes start.
enum PictureKind {
    /// What phones and cameras write, and what programs make of that.
    static func open(_ bytes: [UInt8]) throws(PictureProblem) -> any EncodedPicture {
        if bytes.starts(with: [0xff, 0xd8, 0xff]) { return try JPEGPicture(bytes) }
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return try PNGPicture(bytes) }
        if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            return try WebPPicture(bytes)
        }
        if bytes.starts(with: [0x49, 0x49, 0x2a, 0]) || bytes.starts(with: [0x4d, 0x4d, 0, 0x2a]) {
            return try TIFFPicture(bytes)
        }
        if bytes.dropFirst(4).starts(with: Array("ftyp".utf8)) { return try HEIFPicture(bytes) }
        throw .notAPicture
    }
}

/// Reads what a picture's file says besides its pixels.
package enum PictureReader {
    /// Has libraries load now what they would load with the first picture.
    package static func prepare() { HEIFPicture.prepare() }

    /// From a whole file, or the start of one; throws `truncated` when more of it is needed. A picture that is too
    /// large to be shown is refused.
    package static func notes(of bytes: [UInt8]) throws(PictureProblem) -> PictureNotes {
        try PictureKind.open(bytes).notes
    }
}

extension PictureLimit {
    /// Refuses a picture of no pixels, and one of too many.
    static func check(width: Int, height: Int) throws(PictureProblem) {
        guard width > 0, height > 0 else { throw .damaged("it has \(width) × \(height) pixels") }
        guard width <= pixels, height <= pixels, width * height <= pixels else {
            throw .tooManyPixels(width: width, height: height)
        }
    }
}
