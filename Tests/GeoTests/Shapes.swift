import Geo
import TestTools

/// Sets of towns of many shapes: what breaks radius searches lives at the edges.
enum Shape: CaseIterable {
    case clusters, antimeridian, northPole, southPole, duplicates, tiny, world, grid, line, empty

    func towns(_ count: Int, _ random: inout SeededGenerator) -> [Town] {
        guard self != .empty else { return [] }
        return (0..<(self == .tiny ? min(count, 3) : count)).map { number in
            let (latitude, longitude) = position(number, &random)
            let point = try? Coordinate(
                latitude: min(90, max(-90, latitude)), longitude: Self.wrapped(longitude))
            return Town(
                id: Array("t/\(UInt16.random(in: 0...9, using: &random))-\(number)".utf8),
                point: point ?? Self.origin, categories: Self.categories(&random), record: [UInt8(number & 255)])
        }
    }

    private func position(_ number: Int, _ random: inout SeededGenerator) -> (Double, Double) {
        func near(_ spread: Double) -> Double { Double.random(in: -spread...spread, using: &random) }
        switch self {
        case .clusters, .tiny, .empty:
            let city = random.one(of: [(48.2, 16.4), (-33.9, 151.2), (60.17, 24.94), (0.0, 0.0)])
            return (city.0 + near(0.05) * near(1), city.1 + near(0.05) * near(1))
        case .antimeridian: return (random.one(of: [-17, 0, 52, 71]) + near(0.1), 180 + near(0.1))
        case .northPole: return (90 - abs(near(0.2)) * abs(near(1)), near(180))
        case .southPole: return (random.one(of: [-90, -90 + abs(near(0.01)), -90 + abs(near(2))]), near(180))
        case .duplicates: return (48.2 + Double(number % 3) * 1e-7, 16.4 + Double(number % 2) * 1e-7)
        case .world: return (near(90), near(180))
        case .grid: return (Double(number % 37) * 5 - 90, Double(number / 37 % 73) * 5 - 180)
        case .line: return (51 + Double(number) * 1e-5, 7)
        }
    }

    /// Centres worth asking: the shape's own places, its edges, anywhere.
    func centre(_ towns: [Town], _ random: inout SeededGenerator) -> Coordinate {
        let anywhere = (Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random))
        let edges = [(90.0, 0.0), (-90, 77), (0, 180), (52, -180), (89.9, 45), (0, 0), anywhere]
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: return towns.randomElement(using: &random)?.point ?? Self.origin
        case 4..<8:
            let base = towns.randomElement(using: &random)?.point ?? Self.origin
            let up = Double.random(in: -0.02...0.02, using: &random)
            let along = Double.random(in: -0.02...0.02, using: &random)
            return Self.point(base.latitude + up, base.longitude + along)
        default:
            let edge = random.one(of: edges)
            return Self.point(edge.0, edge.1)
        }
    }

    static let origin = Coordinate.of(0, 0)

    static func point(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate.of(min(90, max(-90, latitude)), wrapped(longitude))
    }

    private static func wrapped(_ longitude: Double) -> Double {
        longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    }

    private static func categories(_ random: inout SeededGenerator) -> [[UInt8]] {
        let names = ["amenity/cafe", "amenity/bar", "amenity", "amenityx", "shop", "shop/books", "office"]
        let count = Int.random(in: 0...2, using: &random)
        return (0..<count).map { _ in Array(random.one(of: names).utf8) }
    }
}

extension Coordinate {
    /// A point known to be in range.
    static func of(_ latitude: Double, _ longitude: Double) -> Coordinate {
        guard let point = try? Coordinate(latitude: latitude, longitude: longitude) else {
            preconditionFailure("\(latitude), \(longitude) is no coordinate")
        }
        return point
    }
}
