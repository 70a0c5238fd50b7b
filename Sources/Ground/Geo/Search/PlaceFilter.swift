import Synchronization

/// The conditions for places, by name; a set of snapshots resolves it once into tables.
@safe
package struct PlaceFilter: Sendable {
    /// Checks a place's id and record, for conditions without a table; the bytes are valid only during the call.
    package typealias Acceptance =
        @Sendable (_ id: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws -> Bool

    /// A place must have one of these categories; none given: any place. A name includes itself and everything below
    /// it: `amenity` also `amenity/cafe`.
    package let include: [[UInt8]]
    /// A place must have none of these, nor anything below.
    package let exclude: [[UInt8]]
    /// Which snapshots of the set to search, by their index; nil: all of them.
    package let sources: [Bool]?
    /// Called last, for candidates that pass everything else.
    package let accepts: Acceptance?

    package init(
        include: [[UInt8]] = [], exclude: [[UInt8]] = [], sources: [Bool]? = nil, accepts: Acceptance? = nil
    ) {
        self.include = include
        self.exclude = exclude
        self.sources = sources
        unsafe self.accepts = accepts
    }
}

/// A filter turned into tables for one set of snapshots; may be kept and used by any thread as long as the set lives.
@safe
package struct ResolvedFilter: Sendable {
    /// The verdicts over one snapshot's category sets.
    struct Verdicts: Sendable {
        /// Per category set; nil when every place passes.
        let passes: [Bool]?
        /// Bits as in the blocks' masks of the sets that pass.
        let mask: UInt64
        /// Nothing in this snapshot can pass.
        let isEmpty: Bool

        /// Whether the category set of a place passes.
        @inline(__always)
        func allow(_ ordinal: UInt32, of snapshot: Snapshot) throws(GeoError) -> Bool {
            guard let passes else { return true }
            let set = Int(snapshot.tree.set(Int(ordinal)))
            guard set < passes.count else { throw snapshot.unknownSet(of: ordinal) }
            return passes[set]
        }
    }

    let generation: ObjectIdentifier
    let verdicts: [Verdicts]
    let accepts: PlaceFilter.Acceptance?
}

extension PlaceFilter {
    func verdicts(over snapshot: Snapshot, isSearched: Bool) -> ResolvedFilter.Verdicts {
        guard isSearched else { return ResolvedFilter.Verdicts(passes: nil, mask: 0, isEmpty: true) }
        if include.isEmpty, exclude.isEmpty { return ResolvedFilter.Verdicts(passes: nil, mask: .max, isEmpty: false) }
        return snapshot.verdicts.verdicts(self) { categoryVerdicts(snapshot) }
    }

    private func categoryVerdicts(_ snapshot: Snapshot) -> ResolvedFilter.Verdicts {
        let names = snapshot.categories.names
        let isIncluded = names.map { name in include.contains { Self.selects($0, name) } }
        let isExcluded = names.map { name in exclude.contains { Self.selects($0, name) } }
        let passes = snapshot.categories.sets.map { set in
            (include.isEmpty || set.contains { isIncluded[Int($0)] }) && !set.contains { isExcluded[Int($0)] }
        }
        let mask = passes.indices.reduce(into: UInt64(0)) { if passes[$1] { $0 |= 1 << UInt64($1 % 64) } }
        return ResolvedFilter.Verdicts(passes: passes, mask: mask, isEmpty: mask == 0)
    }

    private static func selects(_ wanted: [UInt8], _ name: [UInt8]) -> Bool {
        name.starts(with: wanted) && (name.count == wanted.count || name[wanted.count] == UInt8(ascii: "/"))
    }
}

/// The filters recently used with one snapshot, as tables: scanning all category names takes longer than a search.
final class VerdictCache: Sendable {
    private struct Key: Hashable {
        let include: [[UInt8]]
        let exclude: [[UInt8]]
    }

    /// Clients choose filters, so the cache is bounded; when it is full it is emptied.
    private static let maximumKept = 64
    private let kept = Mutex<[Key: ResolvedFilter.Verdicts]>([:])

    /// The verdicts of a filter's categories, made by `make` if they are not there.
    func verdicts(
        _ filter: PlaceFilter, make: () -> ResolvedFilter.Verdicts
    ) -> ResolvedFilter.Verdicts {
        let key = Key(include: filter.include, exclude: filter.exclude)
        if let known = kept.withLock({ $0[key] }) { return known }
        let verdicts = make()
        kept.withLock { kept in
            if kept.count >= Self.maximumKept { kept.removeAll() }
            kept[key] = verdicts
        }
        return verdicts
    }
}
