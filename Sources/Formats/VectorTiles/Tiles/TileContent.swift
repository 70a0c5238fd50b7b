import Compression
import BaseContracts
import Wire

/// Why a vector tile can't be read.
package struct TileDamage: Error, Equatable, CustomStringConvertible {
    package let description: String
}

/// A Mapbox Vector Tile that is read. It may be anyone's, so all of it is checked.
package struct TileContent: Sendable {
    /// A feature.
    package struct Item: Equatable, Sendable {
        /// "streets"
        package let layer: String
        /// Its properties; of other kinds than texts and whole numbers it has none.
        package let properties: [String: TileValue]
        /// Where it is in the world. The points one by one; lines; or rings, as in the tile.
        package let shape: TileShape

        /// The text of a property; empty without one.
        package func text(_ key: String) -> String {
            if case .text(let text)? = properties[key] { text } else { "" }
        }

        package func has(_ key: String) -> Bool { properties[key] != nil }
    }

    /// Bytes that a tile may unpack to, and memory that it may take then.
    private static let maximumBytes = 16 << 20
    private static let budgetBytes = 64 << 20
    private static let extents: ClosedRange<UInt32> = 1...1 << 20

    package private(set) var items: [Item] = []

    /// - Parameter packed: the tile in gzip, as archives have it.
    package init(packed: [UInt8], at tile: TileID) throws(TileDamage) {
        guard case .bytes(let bytes) = Gzip.unpack(packed, limit: Self.maximumBytes) else {
            throw TileDamage(description: "it is no gzip, or unpacks to more than \(Self.maximumBytes) bytes")
        }
        try self.init(bytes, at: tile)
    }

    /// - Parameter bytes: the tile as it is.
    package init(_ bytes: [UInt8], at tile: TileID) throws(TileDamage) {
        let message: VectorTile
        do throws(WireError) {
            message = try VectorTile(packed: bytes, budget: Self.budgetBytes)
        } catch {
            throw TileDamage(description: "\(error)")
        }
        for layer in message.layers {
            guard Self.extents.contains(layer.extent) else {
                throw TileDamage(description: "layer \(layer.name) is \(layer.extent) units wide")
            }
            let frame = TileFrame(tile, extent: layer.extent)
            for feature in layer.features {
                // The format has features of an unknown kind, which are not drawn.
                guard let kind = UInt8(exactly: feature.type).flatMap(TileShape.Kind.init) else { continue }
                items.append(try Self.item(feature, kind, layer, frame))
            }
        }
    }

    private static func item(
        _ feature: VectorTileFeature, _ kind: TileShape.Kind, _ layer: VectorTileLayer, _ frame: TileFrame
    ) throws(TileDamage) -> Item {
        var properties: [String: TileValue] = [:]
        for index in stride(from: 0, to: feature.tags.count - 1, by: 2) {
            let (key, value) = (Int(feature.tags[index]), Int(feature.tags[index + 1]))
            guard layer.keys.indices.contains(key), layer.values.indices.contains(value) else {
                throw TileDamage(description: "a feature of \(layer.name) has key \(key) and value \(value)")
            }
            properties[layer.keys[key]] = layer.values[value].own
        }
        guard let parts = TilePen.parts(of: feature.geometry) else {
            throw TileDamage(description: "a feature of \(layer.name) can't be drawn")
        }
        return Item(layer: layer.name, properties: properties, shape: TileShape(kind, parts.map(frame.points)))
    }
}

/// Where the units of a tile are in the world.
private struct TileFrame {
    private let tile: TileID
    private let extent: Double
    private let size: Double

    init(_ tile: TileID, extent: UInt32) {
        self.tile = tile
        self.extent = Double(extent)
        size = Double(1 << tile.zoom)
    }

    func points(_ part: [Int32]) -> [WorldPoint] {
        stride(from: 0, to: part.count - 1, by: 2).map { index in
            WorldPoint(
                x: (Double(tile.x) + Double(part[index]) / extent) / size,
                y: (Double(tile.y) + Double(part[index + 1]) / extent) / size)
        }
    }
}

extension VectorTileValue {
    fileprivate var own: TileValue? { text.map(TileValue.text) ?? number.map(TileValue.number) }
}
