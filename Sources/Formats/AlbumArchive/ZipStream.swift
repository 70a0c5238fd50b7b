/// A ZIP archive as its bytes are made, from the first to the last: it can be written to what can't be sought in. Files
/// are stored as they are and have no time: the same files give the same bytes. From 4 GiB on it is a ZIP64.
///
/// APPNOTE.TXT of PKWARE, sections 4.3 and 4.5.3.
struct ZipStream: Sendable {
    private struct Entry: Sendable {
        let name: [UInt8]
        let byteCount: UInt32
        let crc32: UInt32
        /// Where its head begins.
        let start: UInt64
    }

    /// What a field of 32 bits says when its number is elsewhere.
    private static let elsewhere: UInt64 = 0xffff_ffff
    /// Versions of the format that are needed: for files that are stored, and for ZIP64.
    private static let (plain, large): (UInt16, UInt16) = (10, 45)
    /// Made by version 4.5 on Unix, where files can be read by all.
    private static let (madeBy, rights): (UInt16, UInt32) = (0x032d, 0o100644 << 16)
    /// 1980-01-01, the first day of ZIP's time.
    private static let firstDay: UInt16 = 0x21

    private var entries: [Entry] = []
    private var count: UInt64 = 0

    init() {}

    /// The head of a file; its bytes have to follow.
    ///
    /// - Parameter name: ASCII, at most 65,535 bytes of it.
    mutating func begin(_ name: String, byteCount: UInt32, crc32: UInt32) -> [UInt8] {
        let entry = Entry(name: Array(name.utf8), byteCount: byteCount, crc32: crc32, start: count)
        entries.append(entry)
        let head = ZipField.bytes([.four(0x0403_4b50)] + facts(of: entry) + [.two(0)]) + entry.name
        count += UInt64(head.count) + UInt64(byteCount)
        return head
    }

    /// The list of files, with which the archive ends.
    func end() -> [UInt8] {
        let list = entries.flatMap(line)
        let (number, length) = (UInt64(entries.count), UInt64(list.count))
        let short = UInt16(clamping: number)
        let end: [ZipField] = [
            .four(0x0605_4b50), .two(0), .two(0), .two(short), .two(short), .four(UInt32(clamping: length)),
            .four(UInt32(clamping: count)), .two(0),
        ]
        guard count >= Self.elsewhere || number >= UInt64(UInt16.max) else { return list + ZipField.bytes(end) }
        let largeEnd: [ZipField] = [
            .four(0x0606_4b50), .eight(44), .two(Self.madeBy), .two(Self.large), .four(0), .four(0), .eight(number),
            .eight(number), .eight(length), .eight(count),
        ]
        let pointer: [ZipField] = [.four(0x0706_4b50), .four(0), .eight(count + length), .four(1)]
        return list + ZipField.bytes(largeEnd + pointer + end)
    }

    /// What the head and the list both say of a file.
    private func facts(of entry: Entry) -> [ZipField] {
        [
            .two(isFar(entry) ? Self.large : Self.plain), .two(0), .two(0), .two(0), .two(Self.firstDay),
            .four(entry.crc32), .four(entry.byteCount), .four(entry.byteCount),
            .two(UInt16(clamping: entry.name.count)),
        ]
    }

    private func line(of entry: Entry) -> [UInt8] {
        let far = isFar(entry) ? ZipField.bytes([.two(1), .two(8), .eight(entry.start)]) : []
        let more: [ZipField] = [
            .two(UInt16(far.count)), .two(0), .two(0), .two(0), .four(Self.rights),
            .four(UInt32(clamping: entry.start)),
        ]
        return ZipField.bytes([.four(0x0201_4b50), .two(Self.madeBy)] + facts(of: entry) + more) + entry.name + far
    }

    private func isFar(_ entry: Entry) -> Bool { entry.start >= Self.elsewhere }
}

/// A number of so many bytes, the lowest first.
private enum ZipField {
    case two(UInt16)
    case four(UInt32)
    case eight(UInt64)

    static func bytes(_ fields: [ZipField]) -> [UInt8] { fields.flatMap(\.bytes) }

    private var bytes: [UInt8] {
        switch self {
        case .two(let number): Self.bytes(UInt64(number), 2)
        case .four(let number): Self.bytes(UInt64(number), 4)
        case .eight(let number): Self.bytes(number, 8)
        }
    }

    private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }
}
