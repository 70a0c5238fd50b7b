internal import EventLoops
internal import FoundationEssentials
import Storage

/// Proves a backup: brings it back into a scratch folder and looks at what came.
package struct BackupProof: Codable, Sendable {
    /// The number of the backup, and the name of its file.
    package let backup: Int
    package let name: String
    /// Seconds since 1970.
    package let at: Int64
    package let program: String
    package let fileCount: Int
    package let byteCount: Int
    /// Whether the services' own programs have opened it.
    package let isOpened: Bool
    /// Rows of all databases.
    package let rowCount: Int
    /// What is wrong, in sentences; none when all is as it was.
    package let faults: [String]
    /// The packs that are damaged: no later backup builds on them.
    let damaged: [String]

    package var isGood: Bool { faults.isEmpty }

    package func isOf(_ backup: StoredBackup) -> Bool { name == backup.name.text }

    /// Restores a backup, opens its databases, and compares what they hold with what they held. What was seen is kept
    /// beside the backup.
    /// - Parameters:
    ///   - scratch: a folder that is there, with room for all of it.
    ///   - open: opens a folder with the services' own programs; gives what is wrong with it, or nil where these
    ///     programs are not.
    package static func make(
        of backup: StoredBackup, in vault: BackupVault, scratch: String, program: String, now: Int64,
        open: (_ folder: String) async throws -> [String]?,
        _ report: @escaping @Sendable (_ done: Int, _ of: Int) -> Void
    ) async throws -> BackupProof {
        let scratch = try await vault.blocking.run {
            try ProofFolder(in: scratch, byteCount: backup.backup.byteCount)
        }
        defer { withExtendedLifetime(scratch) {} }
        let folder = scratch.path
        let damage = try await RestoreRun(vault).fetch(backup, to: folder, report)
        try await vault.require(backup)
        var faults = damage.map { "\($0.object) is damaged: it has parts of \(RestoreRun.shown($0.paths))" }
        if faults.isEmpty {
            faults = try await vault.blocking.run { try Self.faults(in: folder, backup.backup) }
        }
        // The last, since it may upgrade them.
        var isOpened = false
        if faults.isEmpty, let found = try await open(folder) {
            (faults, isOpened) = (found, true)
        }
        let proof = BackupProof(
            backup: backup.backup.number, name: backup.name.text, at: now, program: program,
            fileCount: backup.backup.fileCount,
            byteCount: backup.backup.byteCount, isOpened: isOpened,
            rowCount: backup.backup.rowCount, faults: faults,
            damaged: damage.map(\.pack.text))
        // What was seen is seen, also where nothing can be written.
        _ = try? await vault.put(Array(try JSONEncoder().encode(proof)), as: .proof)
        return proof
    }

    private static func faults(in folder: String, _ backup: Backup) throws -> [String] {
        var faults: [String] = []
        for (path, facts) in backup.databases.sorted(by: { $0.key < $1.key }) {
            let place = "\(folder)/\(path)"
            faults += try SQLiteFacts.faults(of: place).map { "\(path): \($0)" }
            let found = try SQLiteFacts(of: place)
            if found.migrations != facts.migrations { faults.append("\(path): its migrations are other ones") }
            for table in Set(found.rows.keys).union(facts.rows.keys).sorted()
            where found.rows[table] != facts.rows[table] {
                faults.append(
                    "\(path): \(table) has \(found.rows[table] ?? 0) rows; there were \(facts.rows[table] ?? 0)")
            }
        }
        return faults
    }

    /// All proofs in a place, the last first. One that can't be read is passed over: the backup can be proven again.
    package static func all(in vault: BackupVault) async throws -> [BackupProof] {
        var proofs: [BackupProof] = []
        for name in try await BackupVault.names(vault.store.proofs) {
            let bytes = try? await vault.get(name, as: .proof)
            if let proof = bytes.flatMap({ try? JSONDecoder().decode(BackupProof.self, from: Data($0)) }) {
                proofs.append(proof)
            }
        }
        return proofs.sorted { $0.at > $1.at }
    }
}
