import Compression

/// A list of where tiles are, in the order of their numbers.
struct PMTilesDirectory: Equatable, Sendable {
    /// Tiles with the same content, or a directory of the level below.
    struct Entry: Equatable, Sendable {
        /// Number of the first tile.
        var tile: UInt64
        /// How many tiles have this content; 0 for a directory.
        var run: UInt64
        /// Relative to the tiles' part of the file, or to that of the directories.
        var offset: UInt64
        var length: UInt64
    }

    /// Entries and bytes that one may have.
    private static let maximumEntries: UInt64 = 1 << 20
    private static let maximumBytes = 32 << 20

    var entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries }

    /// Column by column, in gzip.
    var packed: [UInt8] {
        var bytes: [UInt8] = []
        Varint.append(UInt64(entries.count), to: &bytes)
        var before: UInt64 = 0
        for entry in entries {
            Varint.append(entry.tile - before, to: &bytes)
            before = entry.tile
        }
        for entry in entries { Varint.append(entry.run, to: &bytes) }
        for entry in entries { Varint.append(entry.length, to: &bytes) }
        var end: UInt64?
        for entry in entries {
            // 0 means that it begins where the one before ends.
            Varint.append(entry.offset == end ? 0 : entry.offset + 1, to: &bytes)
            end = entry.offset + entry.length
        }
        return Gzip.pack(bytes, level: 9)
    }

    /// Nil when the bytes are no directory.
    init?(packed: [UInt8]) {
        guard case .bytes(let bytes) = Gzip.unpack(packed, limit: Self.maximumBytes) else { return nil }
        var rest = bytes[...]
        guard let count = Varint.read(&rest), count <= Self.maximumEntries else { return nil }
        func column() -> [UInt64]? {
            var numbers: [UInt64] = []
            for _ in 0..<count {
                guard let number = Varint.read(&rest) else { return nil }
                numbers.append(number)
            }
            return numbers
        }
        guard let steps = column(), let runs = column(), let lengths = column(), let offsets = column() else {
            return nil
        }
        entries = []
        var (tile, end) = (UInt64(0), UInt64(0))
        for index in steps.indices {
            let (next, isTooFar) = tile.addingReportingOverflow(steps[index])
            let offset = offsets[index] > 0 ? offsets[index] - 1 : end
            let (nextEnd, isTooLong) = offset.addingReportingOverflow(lengths[index])
            guard !isTooFar, !isTooLong, index == 0 || steps[index] > 0 else { return nil }
            entries.append(Entry(tile: next, run: runs[index], offset: offset, length: lengths[index]))
            (tile, end) = (next, nextEnd)
        }
    }

    /// The entry that has a tile, or leads to it; nil when there is none.
    func entry(of tile: UInt64) -> Entry? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].tile <= tile { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let entry = entries[low - 1]
        return entry.run == 0 || tile - entry.tile < entry.run ? entry : nil
    }
}
