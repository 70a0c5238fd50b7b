import Compression

/// Why a vector tile can't be read.
package struct TileDamage: Error, Equatable, CustomStringConvertible {
    package let description: String
}

/// A Mapbox Vector Tile that is read. It may be anyone's, so all of it is checked.
package struct TileContent: Sendable {
    /// The value of a property.
    package enum Value: Equatable, Sendable {
        case text(String)
        /// A truth is 0 or 1.
        case number(Double)
    }

    /// A feature.
    package struct Item: Equatable, Sendable {
        /// "streets"
        package let layer: String
        /// Where it is in the world. The points one by one; lines; or rings, as in the tile.
        package let shape: TileShape
        fileprivate let tags: [Tag]

        fileprivate struct Tag: Equatable {
            let key: String
            let value: Value
        }

        /// Nil without it. Of two with one key it is the first.
        package subscript(key: String) -> Value? { tags.first { $0.key == key }?.value }

        /// The text of a property; empty without one.
        package func text(_ key: String) -> String {
            if case .text(let text)? = self[key] { text } else { "" }
        }

        package func number(_ key: String) -> Double? {
            if case .number(let number)? = self[key] { number } else { nil }
        }

        /// Whether it has the property, and that is not a number that says no.
        package func has(_ key: String) -> Bool { self[key].map { $0 != .number(0) } ?? false }
    }

    /// Bytes that a tile may unpack to, and how much may be in it. The fullest of a city's have a tenth of that.
    private static let maximumBytes = 16 << 20
    private static let maximumLayers = 200
    private static let maximumFeatures = 400_000
    private static let maximumNumbers = 4 << 20
    private static let extents: ClosedRange<UInt64> = 1...1 << 20

    package private(set) var items: [Item] = []
    /// How many numbers it is made of, which says what memory it takes.
    package private(set) var numberCount = 0

    /// - Parameter packed: the tile in gzip, as archives have it.
    package init(packed: [UInt8], at tile: TileID) throws(TileDamage) {
        guard case .bytes(let bytes) = Gzip.unpack(packed, limit: Self.maximumBytes) else {
            throw TileDamage(description: "it is no gzip, or unpacks to more than \(Self.maximumBytes) bytes")
        }
        try self.init(bytes, at: tile)
    }

    /// - Parameter bytes: the tile as it is.
    package init(_ bytes: [UInt8], at tile: TileID) throws(TileDamage) {
        var fields = TileFields(bytes)
        var layers = 0
        while let (field, content) = try fields.next() {
            guard field == 3, case .message(let message) = content else { continue }
            layers += 1
            guard layers <= Self.maximumLayers else { throw Self.tooMuch }
            try read(Layer(message, extents: Self.extents), at: tile)
        }
    }

    private static let tooMuch = TileDamage(description: "there is more in it than in any city's")

    private mutating func read(_ layer: Layer, at tile: TileID) throws(TileDamage) {
        let frame = TileFrame(tile, extent: layer.extent)
        for feature in layer.features {
            let feature = try Feature(feature, room: Self.maximumNumbers - numberCount)
            numberCount += feature.geometry.count + feature.tags.count
            guard items.count < Self.maximumFeatures, numberCount < Self.maximumNumbers else { throw Self.tooMuch }
            // The format has features of an unknown kind, which are not drawn.
            guard let kind = UInt8(exactly: feature.type).flatMap(TileShape.Kind.init) else { continue }
            guard let parts = TilePen.parts(of: feature.geometry) else {
                throw TileDamage(description: "a feature of \(layer.name) can't be drawn")
            }
            items.append(
                Item(layer: layer.name, shape: TileShape(kind, parts.map(frame.points)), tags: try layer.tags(feature)))
        }
    }
}

/// The things of one kind, as they are packed.
private struct Layer {
    var name = ""
    var extent: UInt64 = 4096
    var features: [TileFields] = []
    private var keys: [String] = []
    private var values: [TileContent.Value?] = []

    init(_ message: TileFields, extents: ClosedRange<UInt64>) throws(TileDamage) {
        var fields = message
        while let (field, content) = try fields.next() {
            switch (field, content) {
            case (1, .message(let text)): name = text.text
            case (2, .message(let feature)): features.append(feature)
            case (3, .message(let text)): keys.append(text.text)
            case (4, .message(let value)): values.append(try Self.value(value))
            case (5, .number(let number)): extent = number
            default: break
            }
        }
        guard extents.contains(extent) else {
            throw TileDamage(description: "layer \(name) is \(extent) units wide")
        }
    }

    /// Nil for one of a kind that the format does not have.
    private static func value(_ message: TileFields) throws(TileDamage) -> TileContent.Value? {
        var fields = message
        var value: TileContent.Value?
        while let (field, content) = try fields.next() {
            switch (field, content) {
            case (1, .message(let text)): value = .text(text.text)
            case (2, .four(let bits)): value = .number(Double(Float(bitPattern: bits)))
            case (3, .eight(let bits)): value = .number(Double(bitPattern: bits))
            case (4, .number(let bits)): value = .number(Double(Int64(bitPattern: bits)))
            case (5, .number(let number)): value = .number(Double(number))
            case (6, .number(let bits)):
                value = .number(Double(Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)))
            case (7, .number(let number)): value = .number(number == 0 ? 0 : 1)
            default: break
            }
        }
        return value
    }

    func tags(_ feature: Feature) throws(TileDamage) -> [TileContent.Item.Tag] {
        var tags: [TileContent.Item.Tag] = []
        tags.reserveCapacity(feature.tags.count / 2)
        for index in stride(from: 0, to: feature.tags.count - 1, by: 2) {
            let (key, value) = (Int(feature.tags[index]), Int(feature.tags[index + 1]))
            guard keys.indices.contains(key), values.indices.contains(value) else {
                throw TileDamage(description: "a feature of \(name) has key \(key) and value \(value)")
            }
            if let value = values[value] { tags.append(TileContent.Item.Tag(key: keys[key], value: value)) }
        }
        return tags
    }
}

/// A thing, as it is packed.
private struct Feature {
    var type: UInt64 = 0
    var tags: [UInt32] = []
    var geometry: [UInt32] = []

    /// - Parameter room: how many numbers are read at most, and one.
    init(_ message: TileFields, room: Int) throws(TileDamage) {
        var fields = message
        while let (field, content) = try fields.next() {
            switch (field, content) {
            case (2, let content): try Self.read(content, into: &tags, room)
            case (3, .number(let number)): type = number
            case (4, let content): try Self.read(content, into: &geometry, room)
            default: break
            }
        }
    }

    /// Numbers that are packed, or one by one.
    private static func read(
        _ content: TileFields.Content, into numbers: inout [UInt32], _ room: Int
    ) throws(TileDamage) {
        switch content {
        case .number(let number): numbers.append(UInt32(truncatingIfNeeded: number))
        case .message(var packed):
            while !packed.isEmpty, numbers.count <= room {
                numbers.append(UInt32(truncatingIfNeeded: try packed.number()))
            }
        default: break
        }
    }
}

/// Where the units of a tile are in the world.
private struct TileFrame {
    private let tile: TileID
    private let extent: Double
    private let size: Double

    init(_ tile: TileID, extent: UInt64) {
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
