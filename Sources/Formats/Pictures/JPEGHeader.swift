import PictureCalls

/// The contents of a JPEG's header: its size, and where the metadata is.
struct JPEGHeader: Equatable {
    /// Pixels, before any rotation; at least 1.
    let width: Int
    let height: Int
    /// 1 for gray, 3 for colours, 4 for print.
    let components: Int
    /// Whether it has several passes, each finer than the one before.
    let isProgressive: Bool
    /// Bytes of all its coefficients: two for each pixel of each component, reduced by subsampling.
    let coefficientBytes: Int
    /// The segments before the picture that programs have put there.
    let notes: Notes

    /// Where metadata is.
    struct Notes: Equatable {
        /// The EXIF segment, "Exif" and two zeros first; nil when there is none.
        var exif: Range<Int>?
        /// The XML of the XMP segment; nil when there is none.
        var xmp: Range<Int>?
        /// The parts of a colour profile, in the order of their numbers.
        var profile: [Range<Int>] { profileParts.sorted { $0.number < $1.number }.map(\.range) }
        private var profileParts: [ProfilePart] = []

        private struct ProfilePart: Equatable {
            let number: UInt8
            let range: Range<Int>
        }

        private static let exifMark = Array("Exif\0\0".utf8)
        private static let xmpMark = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
        private static let profileMark = Array("ICC_PROFILE\0".utf8)
        private static let application1: UInt8 = 0xe1
        private static let application2: UInt8 = 0xe2

        fileprivate mutating func take(_ segment: JPEGMarkers.Segment, of bytes: [UInt8]) {
            let (body, range) = (bytes[segment.body], segment.body)
            switch segment.code {
            case Self.application1 where exif == nil && body.starts(with: Self.exifMark): exif = range
            case Self.application1 where xmp == nil && body.starts(with: Self.xmpMark):
                xmp = range.dropFirst(Self.xmpMark.count)
            case Self.application2 where body.starts(with: Self.profileMark):
                // Its number, and how many there are.
                let rest = range.dropFirst(Self.profileMark.count)
                guard rest.count > 2 else { return }
                profileParts.append(ProfilePart(number: bytes[rest.lowerBound], range: rest.dropFirst(2)))
            default: break
            }
        }
    }

    /// Reads as far as necessary. Throws `truncated` when the bytes, which may be the start of a file, end before that.
    init(_ bytes: [UInt8]) throws(PictureProblem) {
        var markers = try JPEGMarkers(bytes)
        var notes = Notes()
        while let segment = try markers.next() {
            notes.take(segment, of: bytes)
            if Self.isFrame(segment.code) {
                let isProgressive = segment.code & 3 == 2
                try self.init(frame: Array(bytes[segment.body]), isProgressive: isProgressive, notes: notes)
                return
            }
            if segment.code == JPEGMarkers.startOfScan { throw .damaged("its size comes too late") }
        }
        throw .truncated
    }

    private init(frame bytes: [UInt8], isProgressive: Bool, notes: Notes) throws(PictureProblem) {
        guard bytes.count >= 6 else { throw .damaged("its size is cut short") }
        guard bytes[0] == 8 else { throw .unsupported("\(bytes[0]) bits for each colour") }
        height = Int(bytes[1]) << 8 | Int(bytes[2])
        width = Int(bytes[3]) << 8 | Int(bytes[4])
        components = Int(bytes[5])
        coefficientBytes = 2 * Self.samples(bytes, of: width * height)
        self.isProgressive = isProgressive
        self.notes = notes
        guard width > 0, height > 0 else { throw .damaged("it has \(width) × \(height) pixels") }
    }

    /// Whether it is small enough, and its colours can be shown.
    func check() throws(PictureProblem) {
        try PictureLimit.check(width: width, height: height)
        if components == 4 { throw .unsupported("colours for print (CMYK)") }
        guard components == 1 || components == 3 else { throw .unsupported("\(components) colours") }
    }

    /// Samples of all components of a frame; components whose sampling is not given have one for each pixel.
    private static func samples(_ frame: [UInt8], of pixels: Int) -> Int {
        let count = Int(frame[5])
        let sampling = stride(from: 7, to: min(frame.count, 6 + 3 * count), by: 3).map {
            (across: Int(frame[$0] >> 4), down: Int(frame[$0] & 15))
        }
        let most = (sampling.map(\.across).max() ?? 0) * (sampling.map(\.down).max() ?? 0)
        guard sampling.count == count, most > 0 else { return pixels * count }
        return pixels * sampling.reduce(0) { $0 + $1.across * $1.down } / most
    }

    /// Refuses a file that is cut off, and one with so many passes over the picture that they only waste time; returns
    /// how many there are.
    @discardableResult
    static func checkScans(_ bytes: [UInt8]) throws(PictureProblem) -> Int {
        var markers = try JPEGMarkers(bytes)
        var scans = 0
        while let segment = try markers.next() {
            guard segment.code == JPEGMarkers.startOfScan else { continue }
            scans += 1
            guard scans <= PictureLimit.scans else { throw .unsupported("more than \(PictureLimit.scans) passes") }
        }
        guard scans > 0 else { throw .truncated }
        return scans
    }

    /// Start of frame, of any kind; 0xc4, 0xc8 and 0xcc mean something else.
    private static func isFrame(_ code: UInt8) -> Bool {
        (0xc0...0xcf).contains(code) && ![0xc4, 0xc8, 0xcc].contains(code)
    }
}
