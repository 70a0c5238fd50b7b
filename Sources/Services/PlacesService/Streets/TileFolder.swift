import Bytes
import Caches
import EventLoops
import Files
import Glibc
import Synchronization
import VectorTiles

/// A folder of bounded size with the tiles of a server, each in a file of its own, and what the server says of them.
/// Those go that were not used for the longest time. It may be emptied at any time. All of it blocks.
final class TileFolder: Sendable {
    private static let descriptionName = "tilejson"
    private static let draftPrefix = "draft-"
    private static let longestFile = 8 << 20
    /// A file takes whole blocks of a disk.
    private static let block = 4_096

    let path: String
    private let index: Mutex<BoundedCache<TileID, Int>>

    /// The folder of one server below that of all; those of other servers, which are asked no more, are removed.
    init(below parent: String, for address: String, limitBytes: Int) {
        var hash = StableHash()
        hash.add(address.utf8)
        let name = String(hash.value, radix: 36)
        let path = "\(parent)/\(name)"
        var index = BoundedCache<TileID, Int>(limit: limitBytes)
        for other in (try? DiskFile.names(in: parent)) ?? [] where other != name {
            Self.removeAll(in: "\(parent)/\(other)")
        }
        for (tile, cost) in Self.found(in: path) {
            for (gone, _) in index.add(cost, at: tile, cost: cost) {
                try? DiskFile.remove(Self.path(of: gone, in: path))
            }
        }
        self.path = path
        self.index = Mutex(index)
    }

    /// What all files take.
    var usedBytes: Int { index.withLock { $0.cost } }

    /// Nil when it is not there, or damaged.
    func tile(_ id: TileID) -> KeptTile? {
        guard let bytes = try? SmallFile.read(Self.path(of: id, in: path), limit: Self.longestFile) else { return nil }
        index.withLock { _ = $0.use(id) }
        return KeptTile(file: bytes)
    }

    func keep(_ tile: KeptTile, as id: TileID) throws(SystemError) {
        let bytes = tile.fileBytes
        let cost = Self.cost(bytes.count)
        guard index.withLock({ cost <= $0.limit }) else { return }
        try write(bytes, to: Self.path(of: id, in: path))
        for (gone, _) in index.withLock({ $0.add(cost, at: id, cost: cost) }) {
            try? DiskFile.remove(Self.path(of: gone, in: path))
        }
    }

    /// What the server said of its tiles last, as it said it.
    var description: [UInt8]? { try? SmallFile.read("\(path)/\(Self.descriptionName)", limit: Self.longestFile) }

    func keep(description: [UInt8]) throws(SystemError) {
        try write(description, to: "\(path)/\(Self.descriptionName)")
    }

    /// It is not flushed to the disk: whether it survived a crash whole is seen when it is read.
    private func write(_ bytes: [UInt8], to place: String) throws(SystemError) {
        let draft = "\(path)/\(Self.draftPrefix)\(UInt64.random(in: 0 ... .max))"
        do throws(SystemError) {
            let descriptor = try Self.create(draft, in: path)
            defer { close(descriptor) }
            try DiskFile.writeAll(bytes, to: descriptor, at: 0, draft)
            try DiskFile.rename(draft, to: place)
        } catch {
            try? DiskFile.remove(draft)
            throw error
        }
    }

    private static func create(_ draft: String, in folder: String) throws(SystemError) -> CInt {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        let descriptor = unsafe open(draft, flags, 0o600)
        if descriptor >= 0 { return descriptor }
        try DiskFile.makeFolder(folder)
        return try syscall("open", draft) { unsafe open(draft, flags, 0o600) }
    }
}

extension TileFolder {
    private static func cost(_ count: Int) -> Int { (count + block - 1) / block * block }

    private static func path(of tile: TileID, in folder: String) -> String {
        "\(folder)/\(tile.zoom)-\(tile.x)-\(tile.y)"
    }

    private static func tile(named name: String) -> TileID? {
        let parts = name.split(at: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let zoom = parts[0], let x = parts[1], let y = parts[2] else { return nil }
        return TileID(zoom: zoom, x: x, y: y)
    }

    /// The tiles that are there, the oldest first, and what they take. Half written files are removed.
    private static func found(in folder: String) -> [(TileID, Int)] {
        var found: [(tile: TileID, cost: Int, modified: Int64)] = []
        for name in (try? DiskFile.names(in: folder)) ?? [] {
            if name.begins(with: draftPrefix) { try? DiskFile.remove("\(folder)/\(name)") }
            guard let tile = tile(named: name), let status = try? DiskFile.status("\(folder)/\(name)") else { continue }
            found.append((tile, cost(status.byteCount), status.modified))
        }
        return found.sorted { $0.modified < $1.modified }.map { ($0.tile, $0.cost) }
    }

    private static func removeAll(in folder: String) {
        for name in (try? DiskFile.names(in: folder)) ?? [] { try? DiskFile.remove("\(folder)/\(name)") }
        _ = unsafe rmdir(folder)
    }
}
