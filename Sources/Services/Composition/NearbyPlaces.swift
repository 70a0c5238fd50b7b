import Geo
import Glibc

/// Finds places near each other whose names have words that begin alike, in cubes laid over the sphere: they need no
/// care at the poles and at the antimeridian.
struct NearbyPlaces {
    private struct Cube {
        let x: Int32
        let y: Int32
        let z: Int32

        /// A number for what begins with this key in it. Others may have the same one by chance, which does no harm.
        func slot(_ key: UInt32) -> UInt64 {
            var mixed: UInt64 = 0
            func mix(_ part: UInt32) {
                mixed = (mixed ^ UInt64(part)) &* 0x9E37_79B9_7F4A_7C15
                mixed ^= mixed >> 32
            }
            mix(UInt32(bitPattern: x))
            mix(UInt32(bitPattern: y))
            mix(UInt32(bitPattern: z))
            mix(key)
            return mixed
        }
    }

    /// A place in a slot, and the one that came before it.
    private struct Entry {
        let place: Int
        let previous: Int?
    }

    /// Where more are so near and begin alike, each is compared with so many of them.
    private static let maximumCompared = 256
    /// And all together with so many, and so many more for each place.
    private static let maximumOfAll = 20_000
    private static let maximumForEach = 16
    /// No key of a word: for the slot that says whether anything is in a cube.
    private static let anyKey: UInt32 = 0
    private static let neighbours: [(Int32, Int32, Int32)] = (0..<27).map { (number: Int32) in
        (number / 9 - 1, number / 3 % 3 - 1, number % 3 - 1)
    }

    private var entries: [Entry] = []
    /// The last entry of each slot.
    private var slots: [UInt64: Int] = [:]
    private var comparedWith: [Int]
    /// How many comparisons are left for all.
    private var budget: Int

    private init(_ count: Int) {
        budget = Self.maximumOfAll + count * Self.maximumForEach
        comparedWith = Array(repeating: -1, count: count)
        slots.reserveCapacity(count * 4)
    }

    /// Each pair once: the numbers of a place and of an earlier one.
    /// - Parameter keys: of each place, the beginnings of words; none is 0.
    static func forEachPair(_ positions: [Coordinate], _ keys: [[UInt32]], _ body: (Int, Int) -> Void) {
        var places = NearbyPlaces(positions.count)
        for index in positions.indices where !keys[index].isEmpty {
            let cube = Self.cube(positions[index])
            places.compare(index, cube, keys[index], body)
            places.add(index, cube, keys[index])
        }
    }

    private mutating func compare(_ place: Int, _ own: Cube, _ keys: [UInt32], _ body: (Int, Int) -> Void) {
        let maximum = min(Self.maximumCompared, budget)
        var left = maximum
        defer { budget -= maximum - left }
        for (dx, dy, dz) in Self.neighbours {
            let cube = Cube(x: own.x + dx, y: own.y + dy, z: own.z + dz)
            guard slots[cube.slot(Self.anyKey)] != nil else { continue }
            for key in keys {
                var next = slots[cube.slot(key)]
                while left > 0, let index = next {
                    let entry = entries[index]
                    next = entry.previous
                    guard comparedWith[entry.place] != place else { continue }
                    comparedWith[entry.place] = place
                    left -= 1
                    body(place, entry.place)
                }
            }
        }
    }

    private mutating func add(_ place: Int, _ cube: Cube, _ keys: [UInt32]) {
        slots[cube.slot(Self.anyKey)] = 0
        for key in keys {
            entries.append(Entry(place: place, previous: slots.updateValue(entries.count, forKey: cube.slot(key))))
        }
    }

    private static func cube(_ position: Coordinate) -> Cube {
        let (latitude, longitude) = (position.latitude * .pi / 180, position.longitude * .pi / 180)
        let scale = Distance.earthRadiusMetres / MergedPlaces.maximumMetres
        func side(_ value: Double) -> Int32 { Int32((value * scale).rounded(.down)) }
        return Cube(
            x: side(cos(latitude) * cos(longitude)), y: side(cos(latitude) * sin(longitude)), z: side(sin(latitude)))
    }
}
