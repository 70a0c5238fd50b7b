internal import Bytes
internal import EventLoops
internal import Files
internal import Glibc
import Storage

/// Makes a backup of a data folder while its services go on.
///
/// Databases are copied as they all are at one instant, and the files beside them listed before and after. Bytes that
/// an earlier backup has at the same place of the same file are not stored again: of databases page by page, of other
/// files only when their size or time changed.
package struct BackupRun: Sendable {
    /// How far it has come.
    package enum Progress: Sendable {
        case copying(done: Int, of: Int)
        case storing(done: Int, of: Int)
        case removing
    }

    private let vault: BackupVault
    private let folder: String
    private let rate: Int?
    private let keep: KeepRules?
    private let program: String
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - folder: the data folder, with a folder for each service.
    ///   - rate: bytes a second at most, before they are packed.
    ///   - keep: which backups stay; nil for all.
    ///   - program: the version of this program.
    ///   - now: seconds since 1970.
    package init(
        _ vault: BackupVault, of folder: String, rate: Int? = nil, keep: KeepRules? = nil, program: String,
        now: @escaping @Sendable () -> Int64
    ) {
        self.vault = vault
        self.folder = folder
        self.rate = rate
        self.keep = keep
        self.program = program
        self.now = now
    }

    /// The databases of a data folder: "pins/pins.db" and its like. Blocks.
    package static func databases(in folder: String) throws -> [String] {
        let found = try DataFiles(in: folder, withSecrets: false).databases
        guard !found.isEmpty else { throw BackupError.noData(in: folder) }
        return found
    }

    /// How often a folder is looked at again because files went away while they were read.
    private static let rounds = 5
    /// How often a backup is begun again because the one that it is built on was removed meanwhile.
    private static let tries = 3

    /// What came of a run.
    package struct Made: Sendable {
        package let backup: StoredBackup
        /// How many were removed because they are not kept.
        package fileprivate(set) var removed = 0
        /// Why those that are not kept could not be removed.
        package fileprivate(set) var problem: String?
        /// Pictures whose bytes are not those of their name any more.
        package let damaged: [String]
    }

    /// Makes one, then removes those that are not kept.
    package func run(_ report: @escaping @Sendable (Progress) -> Void) async throws -> Made {
        let lock = try await vault.blocking.run { [vault] in try vault.store.lock() }
        let scratch = try await vault.blocking.run { [folder] in try ScratchFolder(in: folder) }
        defer { withExtendedLifetime((lock, scratch)) {} }
        for _ in 1...Self.tries {
            guard var made = try await attempt(scratch, report) else { continue }
            report(.removing)
            do {
                // Its last packs were stored just before it was killed.
                let sweeps = scratch.hasKilled(before: now() - BackupPruning.youth / 1_000)
                made.removed =
                    try await keep.mapAsync {
                        try await BackupPruning(vault: vault).run($0, of: scratch.source, sweeps: sweeps)
                    } ?? 0
                if sweeps, keep != nil { try await vault.blocking.run { try scratch.forgetKilled() } }
            } catch {
                made.problem = "\(error)"
            }
            return made
        }
        throw BackupError("other backups at \(vault.store.place) remove what this one is built on; try again")
    }

    /// Nil when packs that it is built on went away meanwhile.
    private func attempt(
        _ scratch: ScratchFolder, _ report: @escaping @Sendable (Progress) -> Void
    ) async throws -> Made? {
        let all = try await vault.all()
        let base = all.first { $0.backup.source.isSame(as: scratch.source) }
        let (earlier, missing) = try await base.mapAsync { try await ground(of: $0) } ?? (Listing(), [])
        let made = now()
        let (writer, files, damaged, facts) = try await withThrowingTaskGroup(of: PackWriter.Stored.self) { stores in
            var reading = FileReading(
                vault: vault, folder: folder, scratch: scratch, earlier: earlier, missing: missing,
                pace: BackupPace(rate: rate))
            var facts: [String: SQLiteFacts] = [:]
            for round in 1...Self.rounds {
                facts = try await reading.copyDatabases(report)
                if try await reading.read(&stores, report) { break }
                guard round < Self.rounds else {
                    throw BackupError("files in \(folder) change faster than they can be read; try again later")
                }
            }
            try await reading.finish(&stores)
            return (reading.writer, reading.files, reading.damaged, facts)
        }
        try requireAll(of: earlier, base, in: files)
        let listing = try Listing(of: files, packs: writer.packs)
        let listed = try await vault.blocking.run { listing.bytes }
        guard listed.count < Listing.longestStored else {
            throw BackupError("\(folder) has more files than a backup can list")
        }
        let name = try await vault.put(listed, as: .listing)
        let picturesAt = try await vault.blocking.run { [folder] in try NotedBlobs.place(of: folder) }
        let stored = try await vault.put(
            Backup(
                waymarkBackup: Backup.form, number: (all.first?.backup.number ?? 0) + 1, source: scratch.source,
                made: made, program: program, fileCount: files.count,
                byteCount: files.reduce(0) { $0 + $1.byteCount }, sentByteCount: writer.storedBytes + listed.count,
                hasSecrets: files.contains { $0.path.isSame(as: "key") }, databases: facts, picturesAt: picturesAt,
                listing: name.text))
        if try await hasAll(listing.packs.map(\.name) + [name]) { return Made(backup: stored, damaged: damaged) }
        _ = try await vault.store.backups.remove(stored.name, ifStoredBefore: .max)
        return nil
    }

    /// The listing of a backup, and which of its packs are not there, or were found damaged. Of one that is damaged
    /// itself nothing is used again.
    private func ground(of base: StoredBackup) async throws -> (Listing, missing: Set<UInt32>) {
        let listing: Listing
        do {
            listing = try await vault.listing(of: base)
        } catch let error as BlobError where error.isLoss {
            return (Listing(), [])
        } catch is BackupError {
            return (Listing(), [])
        }
        let there = Set(try await BackupVault.names(vault.store.packs))
        let damaged = Set(try await BackupProof.all(in: vault).flatMap(\.damaged))
        let missing = listing.packs.indices.filter {
            !there.contains(listing.packs[$0].name) || damaged.contains(listing.packs[$0].name.text)
        }
        return (listing, Set(missing.map { UInt32($0) }))
    }

    /// Whether all packs are there, now that the backup is. One that removes packs lists the backups right before: it
    /// has seen this one, or what it removed is missing here.
    private func hasAll(_ packs: [BlobName]) async throws -> Bool {
        let there = Set(try await BackupVault.names(vault.store.packs))
        for name in packs where !there.contains(name) {
            // Some stores list late.
            guard try await vault.store.packs.contains(name) else { return false }
        }
        return true
    }

    /// That nothing went away as a whole: a disk that is not mounted looks like a folder without files.
    private func requireAll(of earlier: Listing, _ base: StoredBackup?, in files: [Listing.File]) throws {
        let now = Set(files.map(\.path))
        for path in base?.backup.databases.keys.sorted() ?? [] where now.isDisjoint(with: [path]) {
            throw BackupError(
                "\(folder)/\(path) was in the last backup and is not there now: is its disk mounted? Nothing was stored"
            )
        }
        let pictures = earlier.files.contains { DataFiles.isNamedByContent($0.path) }
        if pictures, !files.contains(where: { DataFiles.isNamedByContent($0.path) }) {
            throw BackupError(
                "\(folder)/photos/blobs had pictures in the last backup and has none now: is its disk mounted? Nothing"
                    + " was stored")
        }
    }
}

extension Optional {
    /// What a body gives for the value, if there is one.
    package func mapAsync<Value>(_ body: (Wrapped) async throws -> Value) async rethrows -> Value? {
        guard let self else { return nil }
        return try await body(self)
    }
}
