import Compression
import EventLoops
import Files
import Synchronization

/// A PMTiles archive of vector tiles that is read. All of it blocks.
package final class PMTilesFile: Sendable {
    /// Directories between the root and a tile.
    private static let maximumLevels = 3
    /// Directories that are kept in memory.
    private static let maximumKept = 64
    /// A tile or a directory with more bytes is refused.
    private static let maximumBytes: UInt64 = 3 << 20

    package let header: PMTilesHeader
    package let byteCount: Int
    private let file: OpenFile
    private let path: String
    private let root: PMTilesDirectory
    private let kept = Mutex<[UInt64: PMTilesDirectory]>([:])

    /// Opens an archive; refuses one that was cut short, or is not of vector tiles in gzip.
    package init(path: String) throws(PMTilesError) {
        self.path = path
        let file = try Self.converting { () throws(SystemError) in try OpenFile(reading: path) }
        let size = try Self.converting { () throws(SystemError) in try file.size() }
        let head = try Self.converting { () throws(SystemError) in try file.read(at: 0, limit: PMTilesHeader.byteCount)
        }
        guard let size, let header = PMTilesHeader(head) else {
            throw .damaged(path: path, reason: "it is no PMTiles archive of version 3")
        }
        guard [header.root, header.metadata, header.leaves, header.data].allSatisfy({ $0.isWithin(size) }) else {
            throw .damaged(path: path, reason: "its parts end behind its \(size) bytes; was it cut short?")
        }
        guard header.directoryCompression == PMTilesHeader.gzip, header.tileCompression == PMTilesHeader.gzip,
            header.tileType == PMTilesHeader.vectorTiles, header.minimumZoom <= header.maximumZoom,
            Int(header.maximumZoom) <= TileID.lastZoom
        else {
            throw .damaged(path: path, reason: "it has no vector tiles in gzip of zoom levels 0 to \(TileID.lastZoom)")
        }
        byteCount = Int(clamping: size)
        root = try Self.directory(header.root, in: file, path)
        self.header = header
        self.file = file
    }

    /// Bytes that differ between archives that have other tiles.
    package var identity: [UInt8] { header.bytes + root.packed }

    /// What has to be shown with its tiles, as plain text; empty when it does not say.
    package func attribution() throws(PMTilesError) -> String {
        guard
            case .bytes(let json) = Gzip.unpack(
                try Self.read(header.metadata, in: file, path), limit: Int(Self.maximumBytes))
        else { return "" }
        return PMTilesMetadata.attribution(json)
    }

    /// A tile as it is stored, in gzip; nil when there is none.
    package func tile(_ tile: TileID) throws(PMTilesError) -> [UInt8]? {
        let number = tile.number
        var directory = root
        for _ in 0...Self.maximumLevels {
            guard let entry = directory.entry(of: number) else { return nil }
            if entry.run > 0 { return try Self.read(try part(entry, of: header.data), in: file, path) }
            directory = try leaf(entry)
        }
        throw .damaged(path: path, reason: "it has more than \(Self.maximumLevels) levels of directories")
    }

    /// Whether it has tiles closer than its last zoom level, as ours has for what only a close look needs.
    package func hasDetails() throws(PMTilesError) -> Bool {
        guard let first = TileID(zoom: Int(header.maximumZoom) + 1, x: 0, y: 0)?.number else { return false }
        var directory = root
        for _ in 0...Self.maximumLevels {
            guard let last = directory.entries.last else { return false }
            if last.run > 0 { return last.tile >= first || first - last.tile < last.run }
            directory = try leaf(last)
        }
        throw .damaged(path: path, reason: "it has more than \(Self.maximumLevels) levels of directories")
    }

    private func leaf(_ entry: PMTilesDirectory.Entry) throws(PMTilesError) -> PMTilesDirectory {
        if let known = kept.withLock({ $0[entry.offset] }) { return known }
        let directory = try Self.directory(try part(entry, of: header.leaves), in: file, path)
        kept.withLock { kept in
            if kept.count >= Self.maximumKept { kept.removeAll() }
            kept[entry.offset] = directory
        }
        return directory
    }

    /// Where in the file an entry is.
    private func part(
        _ entry: PMTilesDirectory.Entry, of whole: PMTilesHeader.Part
    ) throws(PMTilesError) -> PMTilesHeader.Part {
        let part = PMTilesHeader.Part(offset: entry.offset, length: entry.length)
        guard part.isWithin(whole.length) else {
            throw .damaged(path: path, reason: "the entry of tile \(entry.tile) ends behind its part of the file")
        }
        return PMTilesHeader.Part(offset: whole.offset + entry.offset, length: entry.length)
    }

    private static func directory(
        _ part: PMTilesHeader.Part, in file: borrowing OpenFile, _ path: String
    ) throws(PMTilesError) -> PMTilesDirectory {
        guard let directory = PMTilesDirectory(packed: try read(part, in: file, path)) else {
            throw .damaged(path: path, reason: "the directory at byte \(part.offset) can't be read")
        }
        return directory
    }

    private static func read(
        _ part: PMTilesHeader.Part, in file: borrowing OpenFile, _ path: String
    ) throws(PMTilesError) -> [UInt8] {
        guard part.length <= maximumBytes else {
            throw .damaged(
                path: path, reason: "\(part.length) bytes at byte \(part.offset), at most \(maximumBytes) are allowed")
        }
        let bytes = try converting { () throws(SystemError) in try file.read(at: part.offset, limit: Int(part.length)) }
        guard bytes.count == Int(part.length) else {
            throw .damaged(path: path, reason: "it ends within the \(part.length) bytes at byte \(part.offset)")
        }
        return bytes
    }

    private static func converting<R: ~Copyable>(_ body: () throws(SystemError) -> R) throws(PMTilesError) -> R {
        do throws(SystemError) { return try body() } catch { throw .disk(error) }
    }
}
