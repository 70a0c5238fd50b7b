import BaseContracts
import Wire

/// Puts the features of one tile together.
struct TileBuilder {
    private struct Group {
        let feature: TileFeature
        let kind: TileShape.Kind
        var parts: [[Int32]]
    }

    private let extent: UInt32
    private var groups: [Group] = []
    private var known: [[UInt8]: Int] = [:]

    init(extent: UInt32) { self.extent = extent }

    /// Adds a feature; those with the same properties become one.
    mutating func add(_ record: TileRecord) {
        if let index = known[record.head] {
            groups[index].parts += record.parts
        } else {
            known[record.head] = groups.count
            groups.append(Group(feature: record.feature, kind: record.kind, parts: record.parts))
        }
    }

    /// The tile's bytes, not compressed.
    /// - Parameter layers: the names of all layers, in the order in which they are drawn.
    func bytes(layers: [String]) -> [UInt8] {
        var tile = VectorTile()
        for (index, name) in layers.enumerated() {
            let own = groups.filter { Int($0.feature.layer) == index && !$0.parts.isEmpty }
            if !own.isEmpty { tile.layers.append(layer(name, own)) }
        }
        return tile.packedBytes()
    }

    private func layer(_ name: String, _ groups: [Group]) -> VectorTileLayer {
        var layer = VectorTileLayer(name: name, extent: extent, version: 2)
        var keys: [String: UInt32] = [:]
        var values: [TileValue: UInt32] = [:]
        for group in groups {
            var tags: [UInt32] = []
            for property in group.feature.properties {
                tags.append(number(of: property.key, in: &keys) { layer.keys.append(property.key) })
                tags.append(number(of: property.value, in: &values) { layer.values.append(property.value.message) })
            }
            var pen = TilePen()
            let joined = { JoinedLines.of(group.parts, isDirected: group.feature.isDirected) }
            pen.draw(group.kind, group.kind == .lines ? joined() : group.parts)
            layer.features.append(
                VectorTileFeature(tags: tags, type: UInt32(group.kind.rawValue), geometry: pen.commands))
        }
        return layer
    }

    private func number<Key: Hashable>(
        of key: Key, in known: inout [Key: UInt32], addNew: () -> Void
    ) -> UInt32 {
        if let number = known[key] { return number }
        let number = UInt32(known.count)
        known[key] = number
        addNew()
        return number
    }
}

extension TileValue {
    fileprivate var message: VectorTileValue {
        switch self {
        case .text(let text): VectorTileValue(text: text)
        case .number(let number): VectorTileValue(number: number)
        }
    }
}
