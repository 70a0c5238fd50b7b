import Compression
import EventLoops
import Files
import Glibc

/// What an archive has.
package struct PMTilesSummary: Equatable, Sendable {
    package let header: PMTilesHeader
    package let byteCount: Int
}

/// Writes a PMTiles archive. Tiles come in the order of their numbers; memory grows by some bytes for each.
struct PMTilesWriter: ~Copyable {
    /// A tile with less than this is often the same as another one: nothing but water.
    private static let shortTile = 512
    private static let maximumRemembered = 100_000
    /// Entries of a directory below the root.
    private static let leafEntries = 4096

    private let path: String
    private let descriptor: Int32
    private var end = Int(PMTilesHeader.rootEnd)
    private var entries: [PMTilesDirectory.Entry] = []
    private var remembered: [[UInt8]: PMTilesDirectory.Entry] = [:]
    private var header = PMTilesHeader()

    init(_ path: String) throws(SystemError) {
        self.path = path
        descriptor = try syscall("open", path) { unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) }
        header.data.offset = PMTilesHeader.rootEnd
    }

    deinit { close(descriptor) }

    /// Adds a tile, which is in gzip; its number is greater than that of the one before.
    mutating func add(_ number: UInt64, _ tile: [UInt8]) throws(SystemError) {
        header.tileCount += 1
        let known = tile.count < Self.shortTile ? remembered[tile] : nil
        if let known, let last = entries.last, last.offset == known.offset, last.tile + last.run == number {
            entries[entries.count - 1].run += 1
            return
        }
        var entry = PMTilesDirectory.Entry(
            tile: number, run: 1, offset: UInt64(end) - header.data.offset, length: UInt64(tile.count))
        if let known {
            entry.offset = known.offset
        } else {
            header.contentCount += 1
            try append(tile)
            if tile.count < Self.shortTile, remembered.count < Self.maximumRemembered { remembered[tile] = entry }
        }
        entries.append(entry)
    }

    /// Writes what leads to the tiles. The file is on the disk when it returns.
    consuming func finish(
        zooms: ClosedRange<Int>, box: WorldBox, metadata: PMTilesMetadata
    ) throws(SystemError) -> PMTilesSummary {
        header.data.length = UInt64(end) - header.data.offset
        header.entryCount = UInt64(entries.count)
        header.leaves.offset = UInt64(end)
        let root = try writeLeaves()
        header.leaves.length = UInt64(end) - header.leaves.offset
        let packed = Gzip.pack(metadata.json, level: 9)
        header.metadata = PMTilesHeader.Part(offset: UInt64(end), length: UInt64(packed.count))
        try append(packed)
        header.root = PMTilesHeader.Part(offset: UInt64(PMTilesHeader.byteCount), length: UInt64(root.count))
        (header.minimumZoom, header.maximumZoom) = (
            UInt8(clamping: zooms.lowerBound), UInt8(clamping: zooms.upperBound)
        )
        let west = WorldPoint(x: box.west, y: box.south)
        let east = WorldPoint(x: box.east, y: box.north)
        header.box = [west.longitude, west.latitude, east.longitude, east.latitude].map(Self.degreesE7)
        header.centre = [(west.longitude + east.longitude) / 2, (west.latitude + east.latitude) / 2]
            .map(Self.degreesE7)
        header.centreZoom = header.maximumZoom
        let head = header.bytes + root
        try DiskFile.writeAll(head, to: descriptor, at: 0, path)
        try syscall("fsync", path) { fsync(descriptor) }
        return PMTilesSummary(header: header, byteCount: end)
    }

    /// The root directory: all entries if they fit, or else those of directories that have them.
    private mutating func writeLeaves() throws(SystemError) -> [UInt8] {
        let room = Int(PMTilesHeader.rootEnd) - PMTilesHeader.byteCount
        let all = PMTilesDirectory(entries).packed
        if all.count <= room { return all }
        var size = Self.leafEntries
        while true {
            var leaves: [(entry: PMTilesDirectory.Entry, bytes: [UInt8])] = []
            var offset: UInt64 = 0
            for start in stride(from: 0, to: entries.count, by: size) {
                let bytes = PMTilesDirectory(Array(entries[start..<min(start + size, entries.count)])).packed
                leaves.append(
                    (
                        PMTilesDirectory.Entry(
                            tile: entries[start].tile, run: 0, offset: offset, length: UInt64(bytes.count)), bytes
                    ))
                offset += UInt64(bytes.count)
            }
            let root = PMTilesDirectory(leaves.map(\.entry)).packed
            if root.count <= room {
                for leaf in leaves { try append(leaf.bytes) }
                return root
            }
            size *= 2
        }
    }

    private mutating func append(_ bytes: [UInt8]) throws(SystemError) {
        try DiskFile.writeAll(bytes, to: descriptor, at: end, path)
        end += bytes.count
    }

    private static func degreesE7(_ degrees: Double) -> Int32 {
        Int32((min(max(degrees, -180), 180) * 1e7).rounded())
    }
}
