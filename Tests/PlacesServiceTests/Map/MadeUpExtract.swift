import PlaceContracts
import Glibc
import TestTools
import VectorTiles

@testable import PlacesService

/// An extract of a made-up piece of the world, cut as programs cut, with the faults that real coasts have.
struct MadeUpExtract {
    /// What is wrong with its coasts.
    enum Fault: CaseIterable { case none, twice, copied, reversed, reversedIsland, gap, fragment }

    let box: WorldBox
    let fault: Fault
    let hasHeader: Bool
    /// Whether ways keep their nodes beyond the edge.
    let isComplete: Bool
    /// Whether a coast from elsewhere came with it, as members of relations do.
    let hasFarCoast: Bool
    var crossesAntimeridian: Bool { box.east > 1 }
    private(set) var coastCount = 0
    /// Points within of coasts that say where the sea is.
    private var coasts: [WorldPoint] = []
    private(set) var file = MapFile()

    init(_ world: MadeUpCoast, _ numbers: inout SeededGenerator) {
        let size = MadeUpCoast.size * .random(in: 0.3...0.8, using: &numbers)
        let west = world.corner.x + .random(in: 0...1, using: &numbers) * (MadeUpCoast.size - size)
        let north = world.corner.y + .random(in: 0...1, using: &numbers) * (MadeUpCoast.size - size)
        box = WorldBox(west: west, north: north, east: west + size, south: north + size)
        fault = Fault.allCases.randomElement(using: &numbers) ?? .none
        hasHeader = .random(using: &numbers)
        isComplete = .random(using: &numbers)
        hasFarCoast = Int.random(in: 0..<5, using: &numbers) == 0
        // Programs say so of what they cut out on both sides of the antimeridian.
        if hasHeader { file.box = PbfBox(box.east > 1 ? box.aroundTheWorld : box) }
        for _ in 0..<600 { file.node(point(&numbers)) }
        for ring in world.rings { add(ring, of: world, &numbers) }
        if fault == .fragment {
            let start = point(&numbers)
            add([start, WorldPoint(x: start.x + MadeUpCoast.step, y: start.y)])
        }
        if hasFarCoast {
            let x = west + (crossesAntimeridian ? -5 : 5) * MadeUpCoast.size
            add(
                [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)].map {
                    WorldPoint(x: x + $0.0 * MadeUpCoast.step, y: north + $0.1 * MadeUpCoast.step)
                })
        }
    }

    /// A point within.
    func point(_ numbers: inout SeededGenerator) -> WorldPoint {
        WorldPoint(
            x: .random(in: box.west...box.east, using: &numbers), y: .random(in: box.north...box.south, using: &numbers)
        )
    }

    /// Whether a coast of its region came with it; the antimeridian is between two.
    func knowsCoast(near point: WorldPoint) -> Bool { coasts.contains { ($0.x > 1) == (point.x > 1) } }

    private mutating func add(_ ring: [WorldPoint], of world: MadeUpCoast, _ numbers: inout SeededGenerator) {
        guard ring.contains(where: box.contains) else { return }
        let isWithin = ring.allSatisfy(box.contains)
        let pieces = ring.count < 40 ? 1 : Int.random(in: 1...6, using: &numbers)
        let cuts = pieces == 1 ? [0] : (0..<pieces).map { $0 * ring.count / pieces }
        // Most of a coast must be right for it to be known what is.
        let others = world.rings.reduce(0) { $0 + ($1 == ring ? 0 : $1.count(where: box.contains)) }
        for (index, start) in cuts.enumerated() {
            let end = index + 1 < cuts.count ? cuts[index + 1] : ring.count
            var way = (start...end).map { ring[$0 % ring.count] }
            guard way.contains(where: box.contains) else { continue }
            coasts += way.filter(box.contains)
            if fault == .gap, pieces == 1, isWithin, way.count > 200 {
                let gap = way.count / 2
                add(Array(way[...gap]))
                way = Array(way[(gap + 1)...])
            }
            if fault == .reversed, pieces > 3, index == 1, isWithin { way.reverse() }
            if fault == .reversedIsland, pieces == 1, isWithin, Rings.area(ring) < 0, ring.count * 3 < others {
                way.reverse()
            }
            add(way)
            if fault == .twice || fault == .copied { add(fault == .copied ? way.reversed() : way) }
        }
    }

    private mutating func add(_ way: [WorldPoint]) {
        coastCount += 1
        let isClosed = way.first == way.last
        var ids = way.dropLast(isClosed ? 1 : 0).map { isComplete || box.contains($0) ? file.node($0) : 1 << 40 }
        if isClosed { ids.append(ids[0]) }
        file.way(through: ids, [("natural", "coastline")])
    }
}

extension MapFile {
    @discardableResult
    fileprivate mutating func node(_ point: WorldPoint) -> Int64 {
        let point = point.onMap
        return node(point.latitude, point.longitude)
    }
}

extension WorldPoint {
    /// The same point of the world, when it lies beyond the antimeridian.
    var onMap: WorldPoint { WorldPoint(x: x > 1 ? x - 1 : x, y: y) }
}

extension WorldBox {
    fileprivate var aroundTheWorld: WorldBox { WorldBox(west: 0, north: north, east: 1, south: south) }
}

extension PbfBox {
    init(_ box: WorldBox) {
        func folded(_ degrees: Double) -> UInt64 { PBFFile.folded(Int64((degrees * 1e9).rounded())) }
        let (first, last) = (WorldPoint(x: box.west, y: box.north), WorldPoint(x: box.east, y: box.south))
        self.init(
            left: folded(first.longitude), right: folded(last.longitude), top: folded(first.latitude),
            bottom: folded(last.latitude))
    }
}
