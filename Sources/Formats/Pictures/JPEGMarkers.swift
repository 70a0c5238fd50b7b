import Glibc
import PictureCalls

/// Steps through a JPEG from marker to marker (ITU-T T.81, annex B) without reading what is between them.
struct JPEGMarkers {
    /// A marker and its payload, without the length.
    struct Segment {
        let code: UInt8
        let body: Range<Int>
    }

    static let startOfScan: UInt8 = 0xda
    private static let end: UInt8 = 0xd9
    private static let start: [UInt8] = [0xff, 0xd8, 0xff]

    private let bytes: [UInt8]
    /// The position from which the next marker is searched for.
    private var at = 2

    /// Refuses a file that doesn't start like a JPEG.
    init(_ bytes: [UInt8]) throws(PictureProblem) {
        guard bytes.starts(with: Self.start) else { throw .notAPicture }
        self.bytes = bytes
    }

    /// The next segment; nil at the end of the picture. Data after that, which some cameras write, is ignored.
    mutating func next() throws(PictureProblem) -> Segment? {
        let code = try nextCode()
        if code == Self.end { return nil }
        if Self.isAlone(code) { return Segment(code: code, body: at..<at) }
        let length = Int(try byte(at)) << 8 | Int(try byte(at + 1))
        guard length >= 2 else { throw .damaged("a segment of \(length) bytes") }
        guard at + length <= bytes.count else { throw .truncated }
        let body = at + 2..<at + length
        at = body.upperBound
        if code == Self.startOfScan { try skipScan() }
        return Segment(code: code, body: body)
    }

    /// Markers may be preceded by any number of 0xff, and by other bytes in files that work elsewhere.
    private mutating func nextCode() throws(PictureProblem) -> UInt8 {
        while true {
            at = try position(of: 0xff, from: at) + 1
            while try byte(at) == 0xff { at += 1 }
            let code = try byte(at)
            at += 1
            if code != 0 { return code }
        }
    }

    /// Skips coded data, in which 0xff is followed by 0 or by the number of a restart.
    private mutating func skipScan() throws(PictureProblem) {
        while true {
            at = try position(of: 0xff, from: at)
            let code = try byte(at + 1)
            guard code == 0 || (0xd0...0xd7).contains(code) else { return }
            at += 2
        }
    }

    private static func isAlone(_ code: UInt8) -> Bool { code == 1 || (0xd0...0xd8).contains(code) }

    private func byte(_ index: Int) throws(PictureProblem) -> UInt8 {
        guard index < bytes.count else { throw .truncated }
        return bytes[index]
    }

    private func position(of byte: UInt8, from start: Int) throws(PictureProblem) -> Int {
        let found: Int? = unsafe bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, start < bytes.count else { return nil }
            let hit = unsafe memchr(base + start, Int32(byte), bytes.count - start)
            return unsafe hit.map { unsafe UnsafeRawPointer($0) - base }
        }
        guard let found else { throw .truncated }
        return found
    }
}
