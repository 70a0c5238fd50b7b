internal import Bytes
internal import Crypto
internal import EventLoops
internal import FoundationEssentials
import Storage

/// Reads and writes what a place of backups holds, sealed if they have a key.
package struct BackupVault: Sendable {
    package let store: BackupStore
    /// Those that the passphrase opens, by the names of their files. Two first backups at once make two.
    private let keys: [BlobName: BackupKey]

    /// What each file is, which seals keep apart.
    enum Kind: String {
        case pack, listing, backup, proof
    }

    private static let sealedHead = Array("WMS1".utf8)
    /// Of a backup's, a proof's or a key's file.
    private static let smallFile = 1 << 20
    private static let longestListing = 1 << 30

    var blocking: BlockingPool { store.blocking }
    var isSealed: Bool { !keys.isEmpty }

    /// The one that new files are sealed with: the same for all who see the same keys.
    private var key: BackupKey? { keys.min { $0.key.text < $1.key.text }?.value }

    /// Opens a place with its passphrase; nil for one whose backups are not sealed.
    /// - Parameter makesKey: whether a place without a key gets one for the passphrase.
    package static func open(
        _ store: BackupStore, passphrase: [UInt8]?, makesKey: Bool = false
    ) async throws -> BackupVault {
        guard let passphrase else {
            guard try await names(store.keys).isEmpty else {
                throw BackupError(
                    "the backups at \(store.place) are sealed; --passphrase-file names the file with their passphrase")
            }
            return BackupVault(store: store, keys: [:])
        }
        let (known, others) = try await keys(in: store, passphrase)
        if !known.isEmpty { return BackupVault(store: store, keys: known) }
        guard others == 0 else { throw BackupError("that is not the passphrase of the backups at \(store.place)") }
        guard makesKey else {
            throw BackupError(
                "there is no key at \(store.place): what is there is not sealed. If you sealed it, this is not your place"
            )
        }
        guard try await names(store.backups).isEmpty else {
            throw BackupError("the backups at \(store.place) are not sealed; name another place for sealed ones")
        }
        let made = try await store.blocking.run { try BackupKey.make(passphrase) }
        try await store.keys.put(HeldBlob(made.file))
        // Another one may have done the same.
        let (all, _) = try await keys(in: store, passphrase)
        return BackupVault(store: store, keys: all.merging([made.key.id: made.key]) { one, _ in one })
    }

    /// The keys that a passphrase opens, and how many others there are.
    private static func keys(
        in store: BackupStore, _ passphrase: [UInt8]
    ) async throws -> (known: [BlobName: BackupKey], others: Int) {
        var (known, others): ([BlobName: BackupKey], Int) = ([:], 0)
        for name in try await names(store.keys) {
            let file = try await read(store.keys, name, limit: smallFile)
            let key = try await store.blocking.run { try BackupKey.open(file, passphrase) }
            if let key { known[name] = key } else { others += 1 }
        }
        return (known, others)
    }

    /// All backups, the newest first. One whose file is damaged, or of a newer version, is passed over.
    package func all() async throws -> [StoredBackup] { try await look().backups }

    /// What is said of those that are passed over.
    package func unreadable() async throws -> [String] { try await look().problems.map { "\($0)" } }

    /// All backups, the newest first; an error when one of them can't be read.
    func allOfThem() async throws -> [StoredBackup] {
        let found = try await look()
        if let problem = found.problems.first { throw problem }
        return found.backups
    }

    private func look() async throws -> (backups: [StoredBackup], problems: [any Error]) {
        var (found, problems): ([StoredBackup], [any Error]) = ([], [])
        for name in try await Self.names(store.backups) {
            do {
                found.append(try await backup(name))
            } catch let error as BackupError {
                problems.append(error)
            } catch let error as BlobError where error.isLoss {
                problems.append(BackupError("backups/\(name) at \(store.place) is damaged: \(error)"))
            }
        }
        return (found.sorted { $0.backup.number > $1.backup.number }, problems)
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
        guard let backup = try? JSONDecoder().decode(Backup.self, from: Data(bytes)), backup.isSound else {
            throw BackupError("backups/\(name) at \(store.place) is damaged: it says nothing of a backup")
        }
        guard backup.waymarkBackup == Backup.form else {
            throw BackupError("a backup at \(store.place) is of a newer version; run a newer waymark")
        }
        return StoredBackup(name: name, backup: backup)
    }

    /// That a backup is still there: what was damaged may just have been removed.
    func require(_ backup: StoredBackup) async throws {
        guard try await store.backups.contains(backup.name) else {
            throw BackupError("backup \(backup.backup.number) was removed meanwhile, by rules of what is kept")
        }
    }

    func listing(of backup: StoredBackup) async throws -> Listing {
        guard let name = BlobName(backup.backup.listing) else {
            throw BackupError("backups/\(backup.name) at \(store.place) is damaged: it names no listing")
        }
        let bytes: [UInt8]
        do {
            bytes = try await get(name, as: .listing)
        } catch BlobError.notFound {
            throw BackupError("packs/\(name) at \(store.place), a listing, is not there")
        }
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
        do {
            try await blobs(kind).put(blob)
        } catch BlobError.full {
            throw BackupError("there is no more room at \(store.place): make some, or keep fewer backups (--keep)")
        }
        return blob.name
    }

    /// What was stored.
    func get(_ name: BlobName, as kind: Kind) async throws -> [UInt8] {
        let limit =
            switch kind {
            case .backup, .proof: Self.smallFile
            case .pack: Pack.maximumBytes + 1_024
            case .listing: Self.longestListing
            }
        let stored = try await Self.read(blobs(kind), name, limit: limit)
        let start = Self.sealedHead.count + BlobName.byteCount
        guard stored.starts(with: Self.sealedHead), stored.count > start else {
            // An unsealed file in a sealed place is not ours.
            guard keys.isEmpty else { throw BlobError.damaged(name) }
            return stored
        }
        let id = BlobName(bytes: Array(stored[Self.sealedHead.count..<start]))
        guard let key = id.flatMap({ keys[$0] }) else { throw BlobError.damaged(name) }
        let plain = try await blocking.run { key.open(Array(stored[start...]), as: kind.rawValue) }
        guard let plain else { throw BlobError.damaged(name) }
        return plain
    }

    // MARK: Named objects

    private static let plainHead = Array("WMO1".utf8)
    private static let digestBytes = 16

    /// The bytes of an object as they are stored under a name: sealed, or with their hash.
    func wrap(_ bytes: [UInt8], as name: String) -> [UInt8] {
        if let key { return Self.sealedHead + key.id.bytes + key.seal(bytes, as: name) }
        return Self.plainHead + BLAKE2b.digest128((Array(name.utf8) + bytes)[...]) + bytes
    }

    /// 16 digits that name bytes and what they come behind; without the key they say nothing of the bytes.
    func mark(of bytes: [UInt8], behind: String) -> String {
        let digest = BLAKE2b.digest128((Array(behind.utf8) + bytes)[...])
        let own = (key?.name(of: digest) ?? digest).prefix(8)
        return own.map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined()
    }

    /// What was wrapped as that name; nil when it is damaged, or another's.
    func unwrap(_ stored: [UInt8], as name: String) -> [UInt8]? {
        let start = Self.sealedHead.count + BlobName.byteCount
        if stored.starts(with: Self.sealedHead), stored.count > start {
            let id = BlobName(bytes: Array(stored[Self.sealedHead.count..<start]))
            return id.flatMap { keys[$0] }?.open(Array(stored[start...]), as: name)
        }
        let body = Self.plainHead.count + Self.digestBytes
        guard keys.isEmpty, stored.starts(with: Self.plainHead), stored.count >= body else { return nil }
        let bytes = Array(stored[body...])
        let digest = BLAKE2b.digest128((Array(name.utf8) + bytes)[...])
        return digest == Array(stored[Self.plainHead.count..<body]) ? bytes : nil
    }

    /// The name of the object that has a picture.
    func objectName(of picture: BlobName) -> String {
        let text = key.flatMap { BlobName(bytes: $0.name(of: picture.bytes)) }?.text ?? picture.text
        return "pictures/\(text.prefix(2))/\(text.dropFirst(2))"
    }

    private func blobs(_ kind: Kind) -> any Blobs {
        switch kind {
        case .backup: store.backups
        case .proof: store.proofs
        case .pack, .listing: store.packs
        }
    }

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
