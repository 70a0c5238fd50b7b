/// The value of a feature's property.
package enum TileValue: Hashable, Sendable {
    case text(String)
    case number(UInt64)
}

/// A kind of thing on the map, and its properties.
package struct TileFeature: Hashable, Sendable {
    package struct Property: Hashable, Sendable {
        package let key: String
        package let value: TileValue

        package init(_ key: String, _ value: TileValue) {
            self.key = key
            self.value = value
        }

        /// Of a line that runs in one direction: that of its points.
        package static let oneWay = Property("oneway", .number(1))
    }

    /// The index of its layer.
    package var layer: UInt8
    package var properties: [Property]

    package init(layer: UInt8, properties: [Property] = []) {
        self.layer = layer
        self.properties = properties
    }
}

extension TileFeature {
    /// Whether its lines are never turned.
    var isDirected: Bool { properties.contains(.oneWay) }

    /// Appends it to the bytes of a record.
    package func write(to record: inout [UInt8]) {
        record.append(layer)
        Varint.append(UInt64(properties.count), to: &record)
        for property in properties {
            Self.write(property.key, to: &record)
            switch property.value {
            case .text(let text):
                record.append(0)
                Self.write(text, to: &record)
            case .number(let number):
                record.append(1)
                Varint.append(number, to: &record)
            }
        }
    }

    /// Reads what `write` has written; nil for other bytes.
    package init?(reading bytes: inout ArraySlice<UInt8>) {
        guard let layer = bytes.popFirst(), let count = Varint.read(&bytes) else { return nil }
        self.init(layer: layer)
        for _ in 0..<count {
            guard let key = Self.text(&bytes), let type = bytes.popFirst() else { return nil }
            guard
                let value = type == 0
                    ? Self.text(&bytes).map(TileValue.text) : Varint.read(&bytes).map(TileValue.number)
            else { return nil }
            properties.append(Property(key, value))
        }
    }

    private static func write(_ text: String, to record: inout [UInt8]) {
        Varint.append(UInt64(text.utf8.count), to: &record)
        record += text.utf8
    }

    private static func text(_ bytes: inout ArraySlice<UInt8>) -> String? {
        guard let count = Varint.read(&bytes).flatMap(Int.init(exactly:)), count <= bytes.count else { return nil }
        defer { bytes.removeFirst(count) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
