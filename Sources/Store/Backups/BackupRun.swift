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

    /// Makes one, then removes those that are not kept. Gives it and how many were removed.
    package func run(_ report: @escaping @Sendable (Progress) -> Void) async throws -> (StoredBackup, removed: Int) {
        let lock = try await vault.blocking.run { [vault] in try vault.store.lock() }
        let scratch = try await vault.blocking.run { [folder] in try ScratchFolder(in: folder) }
        defer { withExtendedLifetime((lock, scratch)) {} }
        for _ in 1...Self.tries {
            guard let made = try await attempt(scratch, report) else { continue }
            report(.removing)
            let removed = try await keep.mapAsync {
                try await BackupPruning(vault: vault).run($0, of: scratch.source)
            } ?? 0
            return (made, removed)
        }
        throw BackupError("other backups at \(vault.store.place) remove those that this one is built on; try again")
    }

    /// Nil when the backup before this one went away meanwhile: then its packs may be gone too.
    private func attempt(
        _ scratch: ScratchFolder, _ report: @escaping @Sendable (Progress) -> Void
    ) async throws -> StoredBackup? {
        let base = try await vault.all().first
        let earlier = try await base.mapAsync { try await vault.listing(of: $0) } ?? Listing()
        let made = now()
        let (writer, files, facts) = try await withThrowingTaskGroup(of: PackWriter.Stored.self) { stores in
            var reading = FileReading(
                vault: vault, folder: folder, scratch: scratch, earlier: earlier, pace: BackupPace(rate: rate))
            var facts: [String: SQLiteFacts] = [:]
            for round in 1...Self.rounds {
                facts = try await reading.copyDatabases(report)
                if try await reading.read(&stores, report) { break }
                guard round < Self.rounds else {
                    throw BackupError("files in \(folder) go away faster than they can be read; try again later")
                }
            }
            try await reading.finish(&stores)
            return (reading.writer, reading.files, facts)
        }
        let listing = try Listing(of: files, packs: writer.packs)
        let listed = try await vault.blocking.run { listing.bytes }
        let name = try await vault.put(listed, as: .listing)
        let stored = try await vault.put(
            Backup(
                waymarkBackup: Backup.form, number: (base?.backup.number ?? 0) + 1, source: scratch.source, made: made, program: program,
                fileCount: files.count, byteCount: files.reduce(0) { $0 + $1.byteCount },
                sentByteCount: writer.storedBytes + listed.count, hasSecrets: vault.key != nil, databases: facts,
                listing: name.text))
        // A run that removes backups lists them again before packs go. So if the one before is still there, this one is
        // on that list.
        guard let base else { return stored }
        if try await vault.store.backups.contains(base.name) { return stored }
        _ = try await vault.store.backups.remove(stored.name, ifStoredBefore: .max)
        return nil
    }
}

extension Optional {
    /// What a body gives for the value, if there is one.
    func mapAsync<Value>(_ body: (Wrapped) async throws -> Value) async rethrows -> Value? {
        guard let self else { return nil }
        return try await body(self)
    }
}
