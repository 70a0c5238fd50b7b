import Synchronization

/// The filters that one snapshot was lately asked with, as tables: looking through all category names takes longer than
/// a search.
final class VerdictCache: Sendable {
    private struct Key: Hashable {
        let include: [[UInt8]]
        let exclude: [[UInt8]]
    }

    /// Clients choose filters, so what is kept is bounded; when it is full it starts anew.
    private static let mostKept = 64
    private let kept = Mutex<[Key: ResolvedFilter.Verdicts]>([:])

    /// The verdicts of a filter's categories, made by `make` if they are not there.
    func verdicts(
        _ filter: PlaceFilter, make: () -> ResolvedFilter.Verdicts
    ) -> ResolvedFilter.Verdicts {
        let key = Key(include: filter.include, exclude: filter.exclude)
        if let known = kept.withLock({ $0[key] }) { return known }
        let verdicts = make()
        kept.withLock { kept in
            if kept.count >= Self.mostKept { kept.removeAll() }
            kept[key] = verdicts
        }
        return verdicts
    }
}
