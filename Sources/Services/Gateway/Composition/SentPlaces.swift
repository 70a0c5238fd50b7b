import Wire

/// Places of several branches that come one after the other: each is sent once.
struct SentPlaces {
    /// The most of one answer.
    let limit: Int
    private var sent: Set<ArraySlice<UInt8>> = []
    private var waiting: [[[UInt8]]] = []

    init(limit: Int) { self.limit = limit }

    /// Takes places of a branch, nearest first.
    mutating func add(_ places: [[UInt8]]) { waiting.append(places) }

    /// What is to be sent now, nearest first.
    mutating func next() -> [[UInt8]] {
        let fresh = waiting.map { places in
            places.filter { place in PackedPlaces.id(of: place).map { !sent.contains($0) } ?? true }
        }
        waiting = []
        for place in fresh.joined() { if let id = PackedPlaces.id(of: place) { sent.insert(id) } }
        return PackedPlaces.together(fresh, limit: limit)
    }
}

extension PackedPlaces {
    /// Several answers as one list: each place once, nearest first, what is the same together.
    static func together(_ answers: [[[UInt8]]], limit: Int) -> [[UInt8]] {
        var (known, all): (Set<ArraySlice<UInt8>>, [(metres: Double, place: [UInt8])]) = ([], [])
        for place in answers.joined() {
            if let id = id(of: place), !known.insert(id).inserted { continue }
            all.append((metres(of: place), place))
        }
        // Sorting is stable.
        let nearest = all.sorted { $0.metres < $1.metres }.map(\.place)
        return Array(merged(nearest).prefix(limit))
    }

    /// The bytes of a place's id; nil when it has none.
    static func id(of place: [UInt8]) -> ArraySlice<UInt8>? {
        var id: ArraySlice<UInt8>?
        _ = PackedFields.forEach(in: place[...]) { tag, value in if tag == idTag { id = value } }
        return id
    }

    /// How far away a place is; 0 when it does not say.
    private static func metres(of place: [UInt8]) -> Double {
        var metres = 0.0
        _ = PackedFields.forEach(in: place[...]) { tag, value in
            if tag == distanceTag { metres = PackedFields.double(value) ?? 0 }
        }
        return metres.isNaN ? 0 : metres
    }

    private static let idTag = PackedFields.bytesTag(1)
    private static let distanceTag = PackedFields.doubleTag(15)
}
