import Geo

/// Places of several networks, each thing once: what is near by and alike in name is the same.
package enum MergedPlaces {
    /// Pins of one thing are at most so far apart, in metres; their positions are rounded, and moved by people.
    package static let maximumMetres = 160.0

    /// Which places are the same: groups of their indices, by the first one of each. That is the place which stands for
    /// the thing: one of the operator's own data before others, then one of OpenStreetMap.
    ///
    /// A group has at most one place of each source, a network or a dataset of the catalog, and each of its places is
    /// near to and named like each other one: a street of shops makes no chain. The most similar pairs are joined
    /// first. The result does not depend on the order of the places. Takes time nearly proportional to their number.
    /// - Parameter places: nil is one of which too little is known: it stays alone.
    package static func groups(of places: [SeenPlace?]) -> [[Int]] {
        let known = places.indices.filter { places[$0] != nil }
        let alone = places.indices.filter { places[$0] == nil }.map { [$0] }
        let groups = groups(known: places.compactMap(\.self)).map { group in group.map { known[$0] } }
        return (groups + alone).sorted { $0[0] < $1[0] }
    }

    private static func groups(known places: [SeenPlace]) -> [[Int]] {
        var kinds: [[String]: Kinds] = [:]
        let things = places.map { place in
            let known = kinds[place.categories] ?? PlaceName.kinds(of: place.categories)
            kinds[place.categories] = known
            return Thing(place, known)
        }
        var groups = Groups(count: places.count)
        for pair in pairs(things) {
            groups.join(pair.one, pair.other) { difference(things[$0], things[$1]) != nil }
        }
        return groups.all { places[$0].stands(before: places[$1]) }
    }

    private struct Thing {
        let place: SeenPlace
        let source: Substring
        let name: PlaceName
        /// A number that says nothing, but is always that of its id.
        private let shuffle: UInt64

        init(_ place: SeenPlace, _ categories: Kinds) {
            self.place = place
            source = place.source
            name = PlaceName(place.name, categories: categories)
            let mixed: UInt64 = place.id.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            shuffle = (mixed ^ mixed >> 32) &* 0x9E37_79B9_7F4A_7C15
        }

        func isShuffled(before other: Thing) -> Bool {
            shuffle != other.shuffle ? shuffle < other.shuffle : place.stands(before: other.place)
        }
    }

    private struct Pair {
        let one: Int
        let other: Int
        let difference: Difference
    }

    /// How much two places differ that are the same.
    private struct Difference: Comparable {
        /// 0 when they are spelled alike, 1 when they have the same words, and 2 when one has more.
        let ofNames: Int
        let metres: Double

        static func < (one: Difference, other: Difference) -> Bool {
            one.ofNames != other.ofNames ? one.ofNames < other.ofNames : one.metres < other.metres
        }
    }

    /// Those that may be joined, the most similar first.
    private static func pairs(_ things: [Thing]) -> [Pair] {
        // In an order that is always the same, but mixes the sources: of too many in one spot, not all are compared.
        let order = things.indices.sorted { things[$0].isShuffled(before: things[$1]) }
        var found: [Pair] = []
        NearbyPlaces.forEachPair(order.map { things[$0].place.position }, order.map { things[$0].name.keys }) {
            let (one, other) = (order[$0], order[$1])
            guard let difference = difference(things[one], things[other]) else { return }
            found.append(Pair(one: one, other: other, difference: difference))
        }
        // Pairs that are equally similar stay in their order: sorting is stable.
        return found.sorted { $0.difference < $1.difference }
    }

    /// Nil when two places are not the same.
    private static func difference(_ one: Thing, _ other: Thing) -> Difference? {
        guard one.source != other.source else { return nil }
        let metres = one.place.position.metres(to: other.place.position)
        guard metres <= maximumMetres else { return nil }
        let likeness = NameMatch(one.name, other.name).likeness(metres: metres)
        guard let likeness = likeness ?? alternative(one.name, other.name, metres: metres) else { return nil }
        let isEqual = likeness == .whole && one.place.name.utf8.elementsEqual(other.place.name.utf8)
        return Difference(ofNames: isEqual ? 0 : likeness == .whole ? 1 : 2, metres: metres)
    }

    /// Whether one of the names has several, as in two languages, and the other is one of them.
    private static func alternative(_ one: PlaceName, _ other: PlaceName, metres: Double) -> NameMatch.Likeness? {
        let isKnown = !one.categories.isEmpty && !other.categories.isEmpty
        guard metres <= NameMatch.nearMetres, !isKnown || !one.categories.isDisjoint(with: other.categories) else {
            return nil
        }
        let pairs = (one.alternatives.map { ($0, other) } + other.alternatives.map { (one, $0) })
            .filter { isKnown || min($0.words.count, $1.words.count) > 1 }
        return pairs.contains { NameMatch($0, $1).likeness(metres: metres) == .whole } ? .part : nil
    }
}
