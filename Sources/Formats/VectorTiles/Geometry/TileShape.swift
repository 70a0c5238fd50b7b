/// What is drawn of one thing: points, lines, or areas.
package struct TileShape: Hashable, Sendable {
    /// The types of a feature in a vector tile, by their numbers.
    package enum Kind: UInt8, Sendable { case points = 1, lines, areas }

    package let kind: Kind
    /// The points one by one; lines; or rings, whose first point is not repeated, each outer ring before its holes.
    package private(set) var parts: [[WorldPoint]]

    package init(_ kind: Kind, _ parts: [[WorldPoint]]) {
        self.kind = kind
        self.parts = parts
    }

    package var isEmpty: Bool { parts.isEmpty }

    package var box: WorldBox? { WorldBox(around: parts.joined()) }

    /// With fewer points, and without areas, holes, and lines around them, that are too small to be seen.
    package func simplified(tolerance: Double, leastArea: Double) -> TileShape {
        switch kind {
        case .points: self
        case .lines:
            TileShape(
                .lines,
                parts.filter { $0.first != $0.last || abs(Rings.area($0)) >= leastArea }
                    .map { Simplification.simplified($0, tolerance: tolerance) })
        case .areas:
            TileShape(
                .areas,
                parts.filter { abs(Rings.area($0)) >= leastArea }
                    .map { Simplification.simplified(ring: $0, tolerance: tolerance) }.filter { $0.count > 2 })
        }
    }

    /// What of it is in a box.
    package func clipped(to box: WorldBox) -> TileShape {
        switch kind {
        case .points: TileShape(kind, parts.map { $0.filter(box.contains) }.filter { !$0.isEmpty })
        case .lines: TileShape(kind, parts.flatMap { Clipping.lines(of: $0, in: box) })
        case .areas: TileShape(kind, parts.map { Clipping.ring($0, in: box) }.filter { $0.count > 2 })
        }
    }

    /// Calls `body` with each tile of a zoom level that it is in, and with what of it is there.
    /// - Parameters:
    ///   - margin: how far beyond its edge a tile has what is drawn there, as a share of its width.
    ///   - isWanted: whether anything is wanted in a tile, or in those that it is made of.
    package func split(
        zoom: Int, margin: Double, isWanted: (TileID) -> Bool, _ body: (TileID, TileShape) throws -> Void
    ) rethrows {
        try split(.world, zoom: zoom, margin: margin, isWanted, body)
    }

    private func split(
        _ tile: TileID, zoom: Int, margin: Double, _ isWanted: (TileID) -> Bool,
        _ body: (TileID, TileShape) throws -> Void
    ) rethrows {
        guard isWanted(tile), let own = box else { return }
        if tile.zoom == zoom { return try body(tile, self) }
        for child in tile.children {
            let room = child.box.grown(by: margin / Double(1 << child.zoom))
            guard room.meets(own) else { continue }
            let part = room.contains(own) ? self : clipped(to: room)
            if !part.isEmpty { try part.split(child, zoom: zoom, margin: margin, isWanted, body) }
        }
    }
}
