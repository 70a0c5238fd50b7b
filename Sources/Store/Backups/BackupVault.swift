internal import Bytes
internal import EventLoops
internal import FoundationEssentials
import Storage

/// Reads and writes what a place of backups holds, sealed if they have a key.
package struct BackupVault: Sendable {
    package let store: BackupStore
    let key: BackupKey?

    /// What each file is, which seals keep apart.
    enum Kind: String {
        case pack, listing, backup
    }

    private static let sealedHead = Array("WMS1".utf8)
    /// Of a backup's or a key's file.
    private static let smallFile = 1 << 20

    var blocking: BlockingPool { store.blocking }

    /// Opens a place with its passphrase; nil for one whose backups are not sealed.
    /// - Parameter makesKey: whether a place without a key gets one for the passphrase.
    package static func open(
        _ store: BackupStore, passphrase: [UInt8]?, makesKey: Bool = false
    ) async throws -> BackupVault {
        let names = try await names(store.keys)
        guard let passphrase else {
            guard names.isEmpty else {
                throw BackupError(
                    "the backups at \(store.place) are sealed; --passphrase-file names the file with their passphrase")
            }
            return BackupVault(store: store, key: nil)
        }
        for name in names {
            let file = try await read(store.keys, name, limit: smallFile)
            let key = try await store.blocking.run { try BackupKey.open(file, passphrase) }
            if let key { return BackupVault(store: store, key: key) }
        }
        guard names.isEmpty else {
            throw BackupError("that is not the passphrase of the backups at \(store.place)")
        }
        guard makesKey else {
            throw BackupError("the backups at \(store.place) are not sealed; leave the passphrase out")
        }
        guard try await Self.names(store.backups).isEmpty else {
            throw BackupError("the backups at \(store.place) are not sealed; name another place for sealed ones")
        }
        let made = try await store.blocking.run { try BackupKey.make(passphrase) }
        try await store.keys.put(HeldBlob(made.file))
        return BackupVault(store: store, key: made.key)
    }

    /// All backups, the newest first.
    package func all() async throws -> [StoredBackup] {
        var found: [StoredBackup] = []
        for name in try await Self.names(store.backups) { found.append(try await backup(name)) }
        return found.sorted { $0.backup.number > $1.backup.number }
    }

    /// The newest of `all` that was made at a time, in seconds since 1970, or earlier; of all when it is nil.
    package static func newest(_ all: [StoredBackup], at time: Int64?) -> StoredBackup? {
        all.first { backup in time.map { backup.backup.made <= $0 } ?? true }
    }

    func put(_ backup: Backup) async throws -> StoredBackup {
        let name = try await put(Array(try JSONEncoder().encode(backup)), as: .backup)
        return StoredBackup(name: name, backup: backup)
    }

    private func backup(_ name: BlobName) async throws -> StoredBackup {
        let bytes = try await get(name, as: .backup)
        guard let backup = try? JSONDecoder().decode(Backup.self, from: Data(bytes)) else {
            throw BackupError("backups/\(name) at \(store.place) is damaged: it says nothing of a backup")
        }
        guard backup.waymarkBackup == Backup.form else {
            throw BackupError("a backup at \(store.place) is of a newer version; run a newer waymark")
        }
        return StoredBackup(name: name, backup: backup)
    }

    func listing(of backup: StoredBackup) async throws -> Listing {
        guard let name = BlobName(backup.backup.listing) else {
            throw BackupError("backups/\(backup.name) at \(store.place) is damaged: it names no listing")
        }
        let bytes = try await get(name, as: .listing)
        guard let listing = try await blocking.run({ Listing(bytes) }) else {
            throw BackupError("packs/\(name) at \(store.place), a listing, is damaged")
        }
        return listing
    }

    /// Seals and stores.
    func put(_ bytes: [UInt8], as kind: Kind) async throws -> BlobName {
        let blob = try await blocking.run { [key] in
            HeldBlob(key.map { Self.sealedHead + $0.id.bytes + $0.seal(bytes, as: kind.rawValue) } ?? bytes)
        }
        try await blobs(kind).put(blob)
        return blob.name
    }

    /// What was stored.
    func get(_ name: BlobName, as kind: Kind) async throws -> [UInt8] {
        let limit = kind == .backup ? Self.smallFile : kind == .pack ? Pack.maximumBytes + 1_024 : Int.max
        let stored = try await Self.read(blobs(kind), name, limit: limit)
        guard let key else {
            guard !stored.starts(with: Self.sealedHead) else {
                throw BackupError("\(name) at \(store.place) is sealed, though the place has no key")
            }
            return stored
        }
        let plain = try await blocking.run {
            let start = Self.sealedHead.count + key.id.bytes.count
            return stored.count > start ? key.open(Array(stored[start...]), as: kind.rawValue) : nil
        }
        guard let plain else { throw BlobError.damaged(name) }
        return plain
    }

    private func blobs(_ kind: Kind) -> any Blobs { kind == .backup ? store.backups : store.packs }

    static func names(_ blobs: any Blobs) async throws -> [BlobName] {
        var (names, page): ([BlobName], String?) = ([], nil)
        repeat {
            let list = try await blobs.list(page)
            names += list.blobs.map(\.name)
            page = list.next
        } while page != nil
        return names
    }

    /// The bytes of a small file of a place, compared with its name.
    static func read(_ blobs: any Blobs, _ name: BlobName, limit: Int) async throws -> [UInt8] {
        let part = 16 << 20
        let opened = try await blobs.open(name, count: nil, behind: [], limit: min(limit, part))
        guard opened.blob.count <= limit else { throw BlobError.damaged(name) }
        var bytes = opened.first
        while bytes.count < opened.blob.count {
            bytes += try await opened.blob.bytes(behind: [], from: bytes.count, limit: part)
        }
        guard BlobName(of: bytes) == name else { throw BlobError.damaged(name) }
        return bytes
    }
}
