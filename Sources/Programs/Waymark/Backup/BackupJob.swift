import Arguments
import Backups
import EventLoops
import Files
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
        let made: BackupRun.Made
        let proof: BackupProof?
        /// Why it could not be proven.
        let problem: String?

        var isGood: Bool {
            proof?.isGood ?? true && problem == nil && made.problem == nil && made.damaged.isEmpty
        }
    }

    private static var now: Int64 { Int64(time(nil)) }

    /// Makes a backup, and proves it when that is due. What fails is kept in the status too.
    func run(_ access: BackupAccess, _ report: @escaping @Sendable (BackupRun.Progress) -> Void) async throws -> Turn {
        do {
            let known = try await known(at: BackupStore.shown(access.place))
            return try await access.with(isNew: !known) { vault, blocking in
                try await require(vault, blocking)
                let made = try await BackupRun(
                    vault, of: folder, rate: rate, keep: keep, program: Release.version, now: { Self.now }
                ).run(report)
                var status = try await status(vault.store.place, blocking)
                status.note(made.backup, in: try await vault.all(), proofs: try await BackupProof.all(in: vault))
                if let problem = made.problem { status.fail(problem, at: Self.now) }
                if let first = made.damaged.first {
                    status.fail("\(first) is damaged in the data folder", at: Self.now)
                }
                try await write(status, blocking)
                do {
                    let proof = try await prove(made.backup, vault, &status)
                    if proof != nil { try await write(status, blocking) }
                    return Turn(made: made, proof: proof, problem: nil)
                } catch {
                    status.fail("it could not be proven: \(error)", at: Self.now)
                    try await write(status, blocking)
                    return Turn(made: made, proof: nil, problem: "\(error)")
                }
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

    /// Whether there are backups at a place that was used before; one without is not made a new one, as a disk that is
    /// not mounted looks so.
    private func known(at place: String) async throws -> Bool {
        let blocking = BlockingPool(threadCount: 1, name: "status")
        defer { blocking.close() }
        guard try await status(place, blocking).made != nil else { return false }
        let isThere = try await blocking.run { BackupStore.isBucket(place) || DiskFile.isFolder("\(place)/backups") }
        guard isThere else { throw gone(place) }
        return true
    }

    private func gone(_ place: String) -> CommandFailure {
        CommandFailure(
            "there were backups at \(place), and there are none now: is its disk mounted? To begin again there, remove"
                + " \(folder)/backup/status.json")
    }

    /// That the place is what it was, and no part of what it is to keep.
    private func require(_ vault: BackupVault, _ blocking: BlockingPool) async throws {
        let place = vault.store.place
        if !BackupStore.isBucket(place) {
            let isInside = try await blocking.run { [folder] in DiskFile.isBelow(place, folder) }
            guard !isInside else {
                throw CommandFailure("\(place) is in the data folder \(folder); name a place elsewhere for its backups")
            }
        }
        let known = try await status(place, blocking)
        let isEmpty = try await vault.all().isEmpty
        guard known.made == nil || !isEmpty else { throw gone(place) }
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
            status.fail(proof.faults.first ?? "", at: proof.at)
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
        let place = BackupStore.shown(place)
        guard var status = try? await status(place, blocking) else { return }
        // A try at another place, which may be a slip, takes nothing from the backups that there are.
        let other = try? await blocking.run { [folder] in try BackupStatus.read(of: folder) }
        if status.made == nil, let other, other.made != nil {
            status = other
            status.fail("at \(place): \(failure)", at: Self.now)
        } else {
            status.fail(failure, at: Self.now)
        }
        try? await write(status, blocking)
    }
}
