import Bytes
internal import Glibc
import Storage

/// Removes the backups that are not kept, and packs that only they have used.
struct BackupPruning: Sendable {
    let vault: BackupVault

    /// Packs that are younger may belong to a backup that is being made: milliseconds. One that takes longer finds at
    /// its end what is missing, and begins again.
    static let youth: Int64 = 24 * 3_600 * 1_000

    /// Looks at the backups of one data folder; gives how many were removed.
    /// - Parameter sweeps: whether packs are looked at although no backup is removed.
    func run(_ rules: KeepRules, of source: String, sweeps: Bool) async throws -> Int {
        let all = try await vault.allOfThem().filter { $0.backup.source.isSame(as: source) }
        var kept = rules.kept(all.map(\.backup.made))
        // The newest one that is known to be whole stays, whatever the rules say.
        let proofs = try await BackupProof.all(in: vault).filter(\.isGood)
        if let proven = all.firstIndex(where: { backup in proofs.contains { $0.isOf(backup) } }) { kept.insert(proven) }
        var removed = 0
        for (index, backup) in all.enumerated() where !kept.contains(index) {
            if try await vault.store.backups.remove(backup.name, ifStoredBefore: .max) { removed += 1 }
        }
        guard removed > 0 || sweeps else { return 0 }
        // Listed again: see `BackupRun`. A listing that can't be read ends it here, before a pack is removed.
        var used: Set<BlobName> = []
        for backup in try await vault.allOfThem() {
            used.formUnion(try await vault.listing(of: backup).packs.map(\.name))
            if let listing = BlobName(backup.backup.listing) { used.insert(listing) }
        }
        _ = try await vault.store.packs.sweep(olderThan: Self.youth, now: Self.now) { _ in used }
        return removed
    }

    /// By this machine's clock, where a store has none.
    private static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
