/// Points that change while they are searched: layers, the newest last, in which an id counts once.
///
/// A change makes a small layer of what is new, and supersedes what the layers below have of the same ids. Layers are
/// merged as they accumulate, so that each is at least four times as large as the one above it, as in `PlaceLayers`. A
/// point takes 24 bytes, and about one more for the tree; in all but the lowest layer 16 more.
package struct PointIndex: Sendable {
    private static let growth = 4

    private(set) var layers: [PointLayer] = []

    /// An index of points, whose ids differ.
    package init(_ points: [IndexedPoint] = []) {
        if !points.isEmpty { layers = [PointLayer(points, superseding: [])] }
    }

    package var isEmpty: Bool { layers.isEmpty }

    /// How many points take space; those that are superseded are among them.
    package var storedCount: Int { layers.reduce(0) { $0 + $1.ids.count } }
    package var layerCount: Int { layers.count }
    /// How many bytes all layers take.
    package var byteCount: Int { layers.reduce(0) { $0 + $1.byteCount } }

    /// Puts points in, each instead of the one with its id if there is one, and takes those out that have no position.
    /// Unknown ids are ignored.
    package mutating func apply(_ changes: [PointID: Coordinate?]) {
        let news = changes.filter { !isKnown($0.key, $0.value) }
        if news.isEmpty { return }
        let points = news.compactMap { id, position in position.map { IndexedPoint(id, at: $0) } }
        layers.append(PointLayer(points, superseding: layers.isEmpty ? [] : news.keys.sorted()))
        merge()
    }

    /// Calls `body` with each point, in no particular order.
    package func forEach(_ body: (IndexedPoint) throws -> Void) rethrows { try Self.forEach(layers[...], body) }

    /// Whether a point of a layer counts.
    func counts(_ id: PointID, inLayer index: Int) -> Bool {
        var newer = layers.count - 1
        while newer > index {
            if layers[newer].supersedes(id) { return false }
            newer -= 1
        }
        return true
    }

    /// Whether a change changes nothing: then it takes no space.
    private func isKnown(_ id: PointID, _ position: Coordinate?) -> Bool {
        guard let position else { return layers.isEmpty }
        let deciding = layers.last { $0.supersedes(id) } ?? layers.first
        return deciding?.has(IndexedPoint(id, at: position)) ?? false
    }

    private mutating func merge() {
        var first = layers.count - 1
        var weight = layers[first].weight
        while first > 0, layers[first - 1].weight < Self.growth * weight {
            first -= 1
            weight += layers[first].weight
        }
        if first == layers.count - 1, first > 0 || layers[first].weight > 0 { return }
        var points: [IndexedPoint] = []
        points.reserveCapacity(weight)
        Self.forEach(layers[first...]) { points.append($0) }
        let superseding = first == 0 ? [] : Set(layers[first...].lazy.flatMap(\.superseding)).sorted()
        layers.removeSubrange(first...)
        if points.isEmpty, superseding.isEmpty { return }
        layers.append(PointLayer(points, superseding: superseding))
    }

    private static func forEach(
        _ layers: ArraySlice<PointLayer>, _ body: (IndexedPoint) throws -> Void
    ) rethrows {
        for (index, layer) in zip(layers.indices, layers) {
            let newer = layers[(index + 1)...]
            for (ordinal, id) in layer.ids.enumerated() where !newer.contains(where: { $0.supersedes(id) }) {
                try body(IndexedPoint(id, at: layer.tree.point(ordinal)))
            }
        }
    }
}
