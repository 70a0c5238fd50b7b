@testable import Geo
import TestTools
import Testing

@Suite("Which areas a point lies in")
struct AreaIndexTests {
    private static let kinds = Set(AreaKind.allCases)

    /// The index of areas, each by its rings.
    private func index(_ areas: [[[AreaPoint]]], _ folder: TemporaryFolder) throws -> AreaIndex {
        var writer = AreaIndexWriter(scratchFolder: folder.path)
        for (number, rings) in areas.enumerated() {
            let added = writer.add(AreaRecord(kind: .region, level: 8, id: "relation/\(number)", name: "\(number)"))
            let record = try #require(added)
            try writer.add(rings: rings, to: record, .region)
        }
        let path = folder.file("areas")
        let count = try writer.write(to: path, source: 7)
        let index = try AreaIndex(path: path)
        #expect(index.fileBytes == count && index.source == 7)
        try index.verify()
        return index
    }

    /// Whether a point that is on no edge is inside, by how often rings wind around it: the sum of quarters that the
    /// way around passes through. Another formula than the index's.
    private func isInside(_ rings: [[AreaPoint]], _ point: AreaPoint) -> Bool {
        var isInside = false
        for ring in rings {
            var quarters = 0
            for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
                let (ax, ay) = (Int64(a.longitude) - Int64(point.longitude), Int64(a.latitude) - Int64(point.latitude))
                let (bx, by) = (Int64(b.longitude) - Int64(point.longitude), Int64(b.latitude) - Int64(point.latitude))
                var turn = (quarter(bx, by) - quarter(ax, ay) + 4) % 4
                if turn == 3 { turn = -1 }
                // Two quarters are to the side on which the point does not lie.
                if turn == 2, ax * by < ay * bx { turn = -2 }
                quarters += turn
            }
            if (quarters / 4) % 2 != 0 { isInside.toggle() }
        }
        return isInside
    }

    private func quarter(_ x: Int64, _ y: Int64) -> Int { y > 0 ? (x > 0 ? 0 : 1) : (x > 0 ? 3 : 2) }

    private func isOnEdge(_ rings: [[AreaPoint]], _ point: AreaPoint) -> Bool {
        rings.contains { ring in
            zip(ring, ring.dropFirst() + ring.prefix(1)).contains { a, b in
                let (dx, dy) = (Int64(b.longitude) - Int64(a.longitude), Int64(b.latitude) - Int64(a.latitude))
                let (px, py) = (Int64(point.longitude) - Int64(a.longitude), Int64(point.latitude) - Int64(a.latitude))
                return dx * py == dy * px && AreaBox([a, b]).contains(point)
            }
        }
    }

    private func coordinate(_ point: AreaPoint) throws -> Coordinate {
        try Coordinate(latitudeE7: point.latitude, longitudeE7: point.longitude)
    }

    @Test("random rings, that cross and touch themselves and have holes, hold the points that they wind around")
    func random() throws {
        var random = SeededGenerator(seed: 50)
        let folder = TemporaryFolder()
        // Few different coordinates make many equal ones: vertices on a line with the point, edges along each other.
        let areas = (0..<120).map { _ in
            (0..<Int.random(in: 1...3, using: &random)).map { _ in
                (0..<Int.random(in: 3...90, using: &random)).map { _ in
                    AreaPoint(
                        latitude: .random(in: -12...12, using: &random),
                        longitude: .random(in: -12...12, using: &random))
                }
            }
        }
        let index = try index(areas, folder)
        for latitude in Int32(-13)...13 {
            for longitude in Int32(-13)...13 {
                let point = AreaPoint(latitude: latitude, longitude: longitude)
                let found = Set(index.areas(holding: try coordinate(point), Self.kinds))
                for (number, rings) in areas.enumerated() where !isOnEdge(rings, point) {
                    #expect(found.contains(UInt32(number)) == isInside(rings, point), "\(number) at \(point)")
                }
            }
        }
    }

    @Test("large rings are searched by their boxes, with the same answers")
    func large() throws {
        var random = SeededGenerator(seed: 51)
        let folder = TemporaryFolder()
        let coast = (0..<20_000).map { step in
            let angle = Double(step) / 20_000 * 2 * .pi
            let far = Double.random(in: 0.8...1.2, using: &random) * 3e8
            return AreaPoint(latitude: Int32(far * sine(angle)), longitude: Int32(far * sine(angle + .pi / 2)))
        }
        let index = try index([[coast]], folder)
        for _ in 0..<400 {
            let point = AreaPoint(
                latitude: .random(in: -400_000_000...400_000_000, using: &random),
                longitude: .random(in: -400_000_000...400_000_000, using: &random))
            let isFound = !index.areas(holding: try coordinate(point), Self.kinds).isEmpty
            #expect(isFound == isInside([coast], point), "\(point)")
        }
    }

    /// By its series: Geo's tests import no C library.
    private func sine(_ angle: Double) -> Double {
        var x = angle.truncatingRemainder(dividingBy: 2 * .pi)
        if x > .pi { x -= 2 * .pi }
        var (sum, term) = (x, x)
        for n in 1...14 {
            term *= -x * x / Double((2 * n) * (2 * n + 1))
            sum += term
        }
        return sum
    }

    @Test("each point of a border is in exactly one of those that share it")
    func borders() throws {
        var random = SeededGenerator(seed: 52)
        let folder = TemporaryFolder()
        let border = (0...40).map { row in
            AreaPoint(latitude: Int32(row) * 10 - 200, longitude: .random(in: -30...30, using: &random))
        }
        let (south, north) = (Int32(-200), Int32(200))
        func point(_ latitude: Int32, _ longitude: Int32) -> AreaPoint {
            AreaPoint(latitude: latitude, longitude: longitude)
        }
        let west = [point(north, -100), point(south, -100)] + border
        let east = border.reversed() + [point(south, 100), point(north, 100)]
        let index = try index([[west], [east]], folder)
        for corner in border.dropLast() {
            #expect(index.areas(holding: try coordinate(corner), Self.kinds).count == 1)
        }
        for latitude in south..<north {
            for longitude in Int32(-40)...40 {
                let found = index.areas(holding: try coordinate(point(latitude, longitude)), Self.kinds)
                #expect(found.count == 1, "\(latitude) \(longitude)")
            }
        }
    }

    @Test("areas across the antimeridian and around a pole hold what lies in them on both sides")
    func edges() throws {
        let folder = TemporaryFolder()
        func point(_ latitude: Int32, _ longitude: Int32) -> AreaPoint {
            AreaPoint(latitude: latitude * 10_000_000, longitude: longitude * 10_000_000)
        }
        let across = [point(-20, 170), point(-20, -170), point(20, -170), point(20, 170)]
        let hole = [point(-5, 175), point(-5, -175), point(5, -175), point(5, 175)]
        let pole = [point(-70, 0), point(-60, 90), point(-70, 179), point(-65, -90)]
        let index = try index([[across, hole], [pole]], folder)
        func found(_ latitude: Int32, _ longitude: Int32) throws -> [UInt32] {
            index.areas(holding: try coordinate(point(latitude, longitude)), Self.kinds)
        }
        for longitude in Int32(171)...180 {
            for turned in [longitude, -longitude] {
                #expect(try found(10, turned) == [0], "\(turned)")
                #expect(try found(0, turned) == (longitude > 175 ? [] : [0]) || longitude == 175)
            }
        }
        #expect(try found(10, 169).isEmpty && found(10, -169).isEmpty && found(10, 0).isEmpty)
        for longitude in stride(from: Int32(-180), through: 180, by: 15) {
            #expect(try found(-89, longitude) == [1] && found(-75, longitude) == [1] && found(-50, longitude).isEmpty)
        }
    }

    @Test("the nearest line is found with its distance, also across the antimeridian; farther ones are not")
    func lines() throws {
        let folder = TemporaryFolder()
        var writer = AreaIndexWriter(scratchFolder: folder.path)
        for (number, longitude) in [0, 100_000, 1_799_999_000].enumerated() {
            let added = writer.add(AreaRecord(kind: .street, id: "\(number)", name: ""))
            let record = try #require(added)
            let line = [-50_000, 50_000].map { AreaPoint(latitude: $0, longitude: Int32(longitude)) }
            try writer.add(line: line, to: record, .street)
        }
        _ = try writer.write(to: folder.file("areas"))
        let index = try AreaIndex(path: folder.file("areas"))
        func nearest(_ longitude: Double, _ metres: Double) throws -> AreaIndex.Near? {
            index.nearest(to: try Coordinate(latitude: 0, longitude: longitude), [.street], within: metres)
        }
        let near = try #require(try nearest(0.001, 200))
        #expect(near.record == 0 && abs(near.metres - 111.2) < 0.1)
        #expect(try nearest(0.001, 100) == nil)
        #expect(try nearest(0.0091, 200)?.record == 1)
        #expect(try nearest(-179.9999, 50)?.record == 2)
        #expect(index.nearest(to: try Coordinate(latitude: 0, longitude: 0), [.house], within: 500) == nil)
    }

    @Test("a record has what was written of it; what is too long is cut at a whole character")
    func records() throws {
        let folder = TemporaryFolder()
        var writer = AreaIndexWriter(scratchFolder: folder.path, maximumTextBytes: 4096)
        let names = [AreaRecord.Name(language: "sv", name: "Helsingfors")]
        let city = AreaRecord(kind: .region, level: 8, id: "relation/34914", name: "Helsinki", code: "x", names: names)
        let long = AreaRecord(kind: .park, id: "way/1", name: String(repeating: "ä", count: 700))
        let numbers = [writer.add(city), writer.add(long)]
        for _ in 0..<3 { _ = writer.add(long) }
        let (count, leftOut) = (writer.count, writer.leftOut)
        #expect(numbers == [0, 1] && count == 4 && leftOut == 1)
        _ = try writer.write(to: folder.file("areas"))
        let index = try AreaIndex(path: folder.file("areas"))
        #expect(index.record(0) == city && index.record(9) == nil)
        #expect(city.name(in: ["de", "sv"]) == "Helsingfors" && city.name(in: ["de"]) == "Helsinki")
        #expect(index.record(1)?.name == String(repeating: "ä", count: 512))
    }

    @Test("a damaged file is refused or answers something, and never traps")
    func damaged() throws {
        var random = SeededGenerator(seed: 53)
        let folder = TemporaryFolder()
        let ring = (Int32(0)..<300).map { (step: Int32) -> AreaPoint in
            let east = step < 150 ? step : 300 - step
            return AreaPoint(latitude: step % 2 * 1000 + step, longitude: east * 100)
        }
        _ = try index([[ring], [Array(ring.prefix(3))], [ring.reversed()]], folder)
        let good = try WholeFile.bytes(folder.file("areas"))
        for length in [0, 7, 4095, 4096, good.count - 1] {
            try WholeFile.write(Array(good[..<length]), to: folder.file("bad"))
            #expect(throws: GeoError.self) { try AreaIndex(path: folder.file("bad")) }
        }
        for _ in 0..<400 {
            var bad = good
            for _ in 0..<4 {
                bad[Int.random(in: 4096..<bad.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            try WholeFile.write(bad, to: folder.file("bad"))
            let index = try AreaIndex(path: folder.file("bad"))
            for number in UInt32(0)..<4 { _ = index.record(number) }
            for latitude in stride(from: Int32(0), through: 1300, by: 300) {
                let point = try Coordinate(latitudeE7: latitude, longitudeE7: 5000)
                _ = index.areas(holding: point, Self.kinds)
                _ = index.nearest(to: point, Self.kinds, within: 100)
            }
        }
    }
}
