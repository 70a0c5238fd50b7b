/// Land, coasts and borders of countries. Two neighbours run through the same points along their border, one in each
/// direction; what is left of all outlines are the coasts.
package struct Outlines {
    private struct Step: Hashable {
        let from: WorldPoint
        let to: WorldPoint

        var reversed: Step { Step(from: to, to: from) }

        /// Whether the map of the world is cut there, where no coast runs: at the antimeridian, and at the end in the
        /// south.
        var isCut: Bool {
            from.x == to.x && (from.x == 0 || from.x == 1) || from.y == to.y && from.y > Self.southernEnd
        }

        private static let southernEnd = 0.999
    }

    private let steps: [Step]
    private let known: Set<Step>

    /// - Parameter rings: of all countries, whose first points are not repeated. All turn as rings of an area do: outer
    ///   ones like a clock, holes the other way.
    package init(_ rings: [[WorldPoint]]) {
        var steps: [Step] = []
        var known: Set<Step> = []
        for ring in rings {
            for (from, to) in zip(ring, ring.dropFirst() + ring.prefix(1)) where from != to {
                let step = Step(from: from, to: to)
                if known.insert(step).inserted { steps.append(step) }
            }
        }
        self.steps = steps
        self.known = known
    }

    /// All land.
    package var land: TileShape {
        let rings = coast
        return TileShape(
            .areas,
            Rings.nested(outers: rings.filter { Rings.area($0) > 0 }, holes: rings.filter { Rings.area($0) < 0 }))
    }

    /// The edge of the land, without where the map of the world is cut.
    package var coasts: TileShape {
        TileShape(.lines, coast.flatMap { Self.lines(around: $0) { !$0.isCut } })
    }

    /// Borders, each from where three countries meet, or from a coast, to the next such point.
    package var borders: TileShape {
        let shared = steps.filter { known.contains($0.reversed) }
        var degrees: [WorldPoint: Int] = [:]
        for step in shared { degrees[step.from, default: 0] += 1 }
        var isDrawn: Set<Step> = []
        var lines: [[WorldPoint]] = []
        for step in shared where isDrawn.insert(step).inserted {
            guard isDrawn.insert(step.reversed).inserted else { continue }
            // The outline goes on in the order of its steps.
            if let end = lines.last?.last, end == step.from, degrees[end] == 2 {
                lines[lines.count - 1].append(step.to)
            } else {
                lines.append([step.from, step.to])
            }
        }
        return TileShape(.lines, lines)
    }

    /// Closed rings of the steps that no neighbour shares.
    private var coast: [[WorldPoint]] {
        let own = steps.filter { !known.contains($0.reversed) }
        var leaving: [WorldPoint: [WorldPoint]] = [:]
        for step in own { leaving[step.from, default: []].append(step.to) }
        var rings: [[WorldPoint]] = []
        for step in own {
            while let next = leaving[step.from]?.popLast() {
                var ring = [step.from]
                var point = next
                while point != step.from {
                    ring.append(point)
                    guard let following = leaving[point]?.popLast() else { break }
                    point = following
                }
                rings.append(ring)
            }
        }
        return rings
    }

    /// The parts of a ring whose steps are wanted.
    private static func lines(around ring: [WorldPoint], _ isWanted: (Step) -> Bool) -> [[WorldPoint]] {
        var lines: [[WorldPoint]] = []
        var isOpen = false
        for (from, to) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
            let isPart = isWanted(Step(from: from, to: to))
            if isPart, isOpen { lines[lines.count - 1].append(to) } else if isPart { lines.append([from, to]) }
            isOpen = isPart
        }
        return lines
    }
}
