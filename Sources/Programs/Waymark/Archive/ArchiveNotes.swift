import Files

/// What a ZIP notes of its files besides what libzip compares: which program packed them, what is needed to unpack
/// them, their attributes. An archive has each twice, or the same for all its files.
enum ArchiveNotes {
    private static let endBytes = 22
    private static let entryBytes = 46
    private static let headBytes = 30
    /// More than the list of files of an archive that is read has.
    private static let maximumBytes: UInt64 = 64 << 20

    /// Whether they are as they were written, in an archive that libzip has opened. One of 4 GiB or more has its
    /// numbers elsewhere, and is not looked through. Blocks.
    static func areWhole(_ path: String) throws -> Bool {
        let file = try OpenFile(reading: path)
        guard let size = try file.size(), size >= UInt64(endBytes) else { return false }
        let end = try file.read(at: size - UInt64(endBytes), limit: endBytes)
        guard end.starts(with: [0x50, 0x4b, 5, 6]) else { return false }
        let (length, start) = (number(end, at: 12, 4), number(end, at: 16, 4))
        if length == UInt32.max || start == UInt32.max { return true }
        guard length <= maximumBytes else { return false }
        var (rest, first) = (try file.read(at: start, limit: Int(length))[...], [UInt8]?.none)
        while !rest.isEmpty {
            let entry = Array(rest.prefix(entryBytes))
            guard entry.count == entryBytes else { return false }
            let head = try file.read(at: number(entry, at: 42, 4), limit: headBytes)
            let notes = Array(entry[4..<6] + entry[34..<42])
            guard head.count == headBytes, head[4..<8] == entry[6..<10], first ?? notes == notes,
                number(entry, at: 34, 2) == 0
            else { return false }
            first = notes
            let texts = [28, 30, 32].reduce(0) { $0 + Int(number(entry, at: $1, 2)) }
            rest = rest.dropFirst(entryBytes + texts)
        }
        return true
    }

    /// A number of so many bytes, the lowest first.
    private static func number(_ bytes: [UInt8], at start: Int, _ count: Int) -> UInt64 {
        bytes.dropFirst(start).prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
