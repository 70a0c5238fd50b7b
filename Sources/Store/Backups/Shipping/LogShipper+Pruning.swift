import Bytes
import Storage

/// What is not needed any more.
extension LogShipper {
    private static let pruneEvery = Duration.seconds(3_600)
    /// While storing fails.
    static let pruneSoon = Duration.seconds(60)
    /// Objects that a turn removes at most: the next one is soon.
    private static let removals = 16

    /// Looks every hour at what is there, and removes some of what is not needed to go back as far as is kept.
    func prune(_ work: inout Work, after pause: Duration = pruneEvery) async throws {
        for name in work.unneeded.suffix(Self.removals) { try await vault.store.objects.remove(name.text) }
        work.unneeded.removeLast(min(Self.removals, work.unneeded.count))
        guard work.unneeded.isEmpty, work.pruned.map({ .now - $0 > pause }) ?? true else { return }
        work.pruned = .now
        let names = try await names()
        let log = ShippedLog(names)
        if let limit = log.limit(hours: keepHours) {
            work.unneeded = log.unneeded(before: limit).reversed()
            pictures?.requestSweep(before: limit, last: work.state.time)
        }
        let own = ShippedLog(names.filter { $0.stream.isSame(as: work.state.stream) })
        if work.isOpen, !own.isWhole { try await begin(&work, after: names) }
    }
}
