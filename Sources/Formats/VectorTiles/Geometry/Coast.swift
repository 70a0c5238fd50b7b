/// Makes areas of sea of lines of coast, which have the land on their left and the water on their right, as
/// OpenStreetMap has them.
///
/// Within a box each coast that is no ring goes from edge to edge: one that ends before is led out (`CoastExit`).
/// Around the edge the places where coasts go out and come in take turns then, and the water is closed along it: from
/// where one goes out clockwise to where the next one comes in. Where two of the same kind follow each other, a coast
/// is missing between them, or one is the wrong way round; the shorter one is left out.
package struct Coast {
    /// Rings around water that are looked at, whether they are islands the wrong way round: there are hardly any.
    private static let maximumBasins = 64

    let box: WorldBox
    let beyond: Double
    let hasData: (WorldPoint) -> Bool
    private var lines = CoastLines()

    /// - Parameters:
    ///   - beyond: how far from the box's edge away the water goes on, in widths of the world, so that its straight end
    ///     is not on the edge.
    ///   - hasData: whether there is data around a point.
    package init(
        in box: WorldBox, ledOnBy beyond: Double = 0, hasData: @escaping (WorldPoint) -> Bool = { _ in false }
    ) {
        self.box = box
        self.beyond = beyond
        self.hasData = hasData
    }

    /// Takes a line of coast; a closed one ends with its first point.
    package mutating func add(_ line: [WorldPoint]) { lines.add(line) }

    /// The rings of the sea, each outer one before the islands in it. Empty without a coast, and where coasts
    /// contradict each other.
    package consuming func sea() -> [[WorldPoint]] {
        var (crossings, rings): ([[WorldPoint]], [[WorldPoint]]) = ([], [])
        for line in bridged(lines.joined()) {
            if line.first == line.last, line.allSatisfy(box.contains) {
                rings.append(Array(line.dropLast()))
            } else {
                crossings += parts(of: line)
            }
        }
        let led = ledOut(crossings, rings)
        crossings = agreeing(led.lines, led.lengths)
        guard !crossings.isEmpty || led.lines.isEmpty else { return [] }
        return sea(closed(crossings), rings + led.rings, led.lostLength)
    }

    /// - Parameters:
    ///   - outers: what is closed along the edge.
    ///   - lostLength: of coasts that were left out.
    private func sea(_ outers: [[WorldPoint]], _ rings: [[WorldPoint]], _ lostLength: Double) -> [[WorldPoint]] {
        var islands = rings.filter { Rings.area($0) < 0 }
        let basins = rings.filter { Rings.area($0) > 0 }
        let doubtful = basins.prefix(Self.maximumBasins)
        var (outers, comparisons) = (outers, 0)
        if outers.isEmpty {
            // Most of the rings that lie in no basin say what is around all; but a longer coast that was left out may
            // have had land there.
            var seekers = doubtful.map { RingSeeker($0) }
            let around = islands.filter { island in
                !seekers.indices.contains { seekers[$0].contains(hole: island, &comparisons) }
            }
            let isKnown = around.reduce(0) { $0 + Self.length($1) } >= lostLength
            if isKnown, around.reduce(0, { $0 + $1.count }) > basins.reduce(0, { $0 + $1.count }) {
                outers = [corners]
            }
        }
        // A basin in the sea is an island that is the wrong way round.
        var seekers = outers.map { RingSeeker($0) }
        let wrong = doubtful.indices.filter { index in
            seekers.indices.contains { seekers[$0].contains(hole: basins[index], &comparisons) }
                && !islands.contains { Rings.contains($0, basins[index][0]) }
        }
        islands += wrong.map { basins[$0] }
        outers += basins.indices.filter { !wrong.contains($0) }.map { basins[$0] }
        return Rings.nested(outers: outers, holes: islands)
    }
}
