/// Identifies a point of an index: 16 bytes. Equally near points are in the order of their ids.
package struct PointID: Hashable, Sendable, BitwiseCopyable {
    package let high: UInt64
    package let low: UInt64

    /// An id from its 16 bytes, as two numbers.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

extension PointID: Comparable {
    package static func < (left: PointID, right: PointID) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}

/// A point with the id of what is there.
package struct IndexedPoint: Hashable, Sendable, BitwiseCopyable {
    package let id: PointID
    package let position: Coordinate

    package init(_ id: PointID, at position: Coordinate) {
        self.id = id
        self.position = position
    }
}

/// A point that a search has found.
package struct PointHit: Hashable, Sendable, BitwiseCopyable {
    package let id: PointID
    package let position: Coordinate
    /// Great-circle distance from the centre in metres.
    package let metres: Double
}

extension PointHit: Comparable {
    /// Nearer ones first, equally near ones by id.
    package static func < (left: PointHit, right: PointHit) -> Bool {
        left.metres == right.metres ? left.id < right.id : left.metres < right.metres
    }
}
