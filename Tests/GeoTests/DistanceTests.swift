import Geo
import Glibc
import TestTools
import Testing

@Suite("Distances on the mean sphere")
struct DistanceTests {
    @Test("are exact where the answer is known")
    func known() {
        let quarter = Distance.halfGirthMetres / 2
        #expect(Coordinate.of(90, 10).metres(to: .of(90, -133)) == 0)
        #expect(Coordinate.of(-90, 10).metres(to: .of(-90, 0)) == 0)
        #expect(Coordinate.of(12, 180).metres(to: .of(12, -180)) == 0)
        #expect(Coordinate.of(90, 0).metres(to: .of(-90, 50)) == Distance.halfGirthMetres)
        #expect(Coordinate.of(33, 20).metres(to: .of(-33, -160)) == Distance.halfGirthMetres)
        #expect(abs(Coordinate.of(0, 0).metres(to: .of(0, 90)) - quarter) < 1e-8)
        #expect(abs(Coordinate.of(0, 0).metres(to: .of(0, 1)) - Distance.halfGirthMetres / 180) < 1e-8)
    }

    @Test("agree with an independent formula, near and far and at the antipode")
    func independent() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            let a = Coordinate.of(.random(in: -90...90, using: &random), .random(in: -180...180, using: &random))
            let reach = random.one(of: [1e-6, 1e-3, 1, 180])
            let up = a.latitude + .random(in: -reach...reach, using: &random)
            var b = Shape.point(up, a.longitude + .random(in: -reach...reach, using: &random))
            if Bool.random(using: &random) {
                b = Shape.point(-b.latitude, b.longitude > 0 ? b.longitude - 180 : b.longitude + 180)
            }
            let metres = Distance.metres(from: a, to: b)
            #expect(abs(metres - Self.byVectors(a, b)) < 1e-6, "\(a) \(b)")
            #expect(metres == Distance.metres(from: b, to: a), "\(a) \(b)")
            #expect((0...Distance.halfGirthMetres).contains(metres))
        }
    }

    /// Vincenty's formula for a sphere, well-behaved at every angle.
    static func byVectors(_ a: Coordinate, _ b: Coordinate) -> Double {
        let degree = Double.pi / 180
        let (p, q) = (a.latitude * degree, b.latitude * degree)
        let along = (b.longitude - a.longitude) * degree
        let across = cos(q) * sin(along)
        let up = cos(p) * sin(q) - sin(p) * cos(q) * cos(along)
        let ahead = sin(p) * sin(q) + cos(p) * cos(q) * cos(along)
        return Distance.earthRadiusMetres * atan2((across * across + up * up).squareRoot(), ahead)
    }
}
