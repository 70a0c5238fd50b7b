import Geo
import Networks

/// Which of the places that live networks have found are one account's. A snapshot never changes, so what is known of
/// it holds as long as it is in the catalog, and a change of the catalog costs what it brings: the newest layers are
/// looked through, the others are not.
struct OwnedPlaces: Sendable {
    private var ids: [Network: Set<[UInt8]>] = [:]
    /// Those of them that `marks` doesn't know yet.
    private var added: [Network: Set<[UInt8]>] = [:]
    /// Which places of a snapshot are the account's, by the snapshot's number; of those of the last view.
    private var marks: [UInt64: PlaceMarks] = [:]

    /// Adds a place; false when it is there already.
    mutating func insert(_ id: [UInt8], of network: Network) -> Bool {
        guard ids[network, default: []].insert(id).inserted else { return false }
        if !marks.isEmpty { added[network, default: []].insert(id) }
        return true
    }

    /// Removes places. Their marks may stay: in the next view of the catalog they don't count where they are now.
    mutating func remove(_ gone: [[UInt8]], of network: Network) {
        ids[network]?.subtract(gone)
        added[network]?.subtract(gone)
    }

    /// How many look-ups `showing` takes.
    func lookUps(_ view: CatalogView) -> Int {
        view.discovered.reduce(0) { sum, discovered in
            let (all, added) = (ids[discovered.key]?.count ?? 0, added[discovered.key]?.count ?? 0)
            return discovered.value.layers.reduce(sum) { sum, layer in
                sum + (marks[layer.snapshot.number] == nil ? min(all, layer.snapshot.count) : added)
            }
        }
    }

    /// The view as the account sees it, and what is known then.
    func showing(_ view: CatalogView) throws(GeoError) -> (CatalogView, OwnedPlaces) {
        var known = self
        (known.marks, known.added) = ([:], [:])
        let shown = try view.showing { network, snapshot throws(GeoError) in
            let places = try marks(of: network, in: snapshot)
            known.marks[snapshot.number] = places
            return places
        }
        return (shown, known)
    }

    private func marks(of network: Network, in snapshot: Snapshot) throws(GeoError) -> PlaceMarks {
        guard var places = marks[snapshot.number] else { return try PlaceMarks(ids[network] ?? [], of: snapshot) }
        try places.insert(added[network] ?? [], of: snapshot)
        return places
    }
}
