import Arguments
import Backups
import EventLoops
import Glibc
import Terminal

/// One turn of backing up a data folder: a backup, after some of them a proof, and the folder's status.
struct BackupJob: Sendable {
    let folder: String
    let rate: Int?
    let keep: KeepRules?
    /// After how many backups one is proven; 0 for never.
    let proofEvery: Int
    /// Where it is proven; the data folder when nil.
    let scratch: String?
    let trial: DataTrial

    /// What came of it.
    struct Turn: Sendable {
        let made: StoredBackup
        let removed: Int
        let proof: BackupProof?
    }

    private static var now: Int64 { Int64(time(nil)) }

    /// Makes a backup, and proves it when that is due. What fails is kept in the status too.
    func run(_ access: BackupAccess, _ report: @escaping @Sendable (BackupRun.Progress) -> Void) async throws -> Turn {
        do {
            return try await access.with(isNew: true) { vault, blocking in
                let (made, removed) = try await BackupRun(
                    vault, of: folder, rate: rate, keep: keep, program: Release.version, now: { Self.now }
                ).run(report)
                var status = try await status(vault.store.place, blocking)
                (status.made, status.failure, status.failed) = (made.backup.made, nil, nil)
                status.unproven += 1
                try await write(status, blocking)
                let proof = try await prove(made, vault, &status)
                if proof != nil { try await write(status, blocking) }
                return Turn(made: made, removed: removed, proof: proof)
            }
        } catch {
            await note("\(error)", access.place)
            throw error
        }
    }

    /// When the last backup to a place was made, in seconds since 1970; nil when there is none.
    func lastMade(at place: String) async -> Int64? {
        let blocking = BlockingPool(threadCount: 1, name: "status")
        defer { blocking.close() }
        return try? await status(BackupStore.shown(place), blocking).made
    }

    private func prove(
        _ backup: StoredBackup, _ vault: BackupVault, _ status: inout BackupStatus
    ) async throws -> BackupProof? {
        guard proofEvery > 0, status.unproven >= proofEvery else { return nil }
        let proof = try await BackupProof.make(
            of: backup, in: vault, scratch: scratch ?? "\(folder)/backup", program: Release.version, now: Self.now,
            open: trial.open
        ) { _, _ in }
        if proof.isGood {
            (status.proven, status.unproven) = (proof.at, 0)
        } else {
            (status.failure, status.failed) = (proof.faults.first, proof.at)
        }
        return proof
    }

    private func status(_ place: String, _ blocking: BlockingPool) async throws -> BackupStatus {
        let stored = try await blocking.run { [folder] in try? BackupStatus.read(of: folder) }
        // Those of another place say nothing of this one.
        return stored?.place == place ? stored ?? BackupStatus(place: place) : BackupStatus(place: place)
    }

    private func write(_ status: BackupStatus, _ blocking: BlockingPool) async throws {
        try await blocking.run { [folder] in try status.write(to: folder) }
    }

    /// A status that can't be written is the smaller trouble of the two.
    private func note(_ failure: String, _ place: String) async {
        let blocking = BlockingPool(threadCount: 1, name: "status")
        defer { blocking.close() }
        guard var status = try? await status(BackupStore.shown(place), blocking) else { return }
        (status.failure, status.failed) = (failure, Self.now)
        try? await write(status, blocking)
    }
}
