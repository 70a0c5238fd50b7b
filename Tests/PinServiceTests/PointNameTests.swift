import Geo
import Testing

@testable import PinService

@Suite("P2 A pin without a name is called after its position")
struct PointNameTests {
    @Test(
        "in degrees, to a metre, without zeros that say nothing",
        arguments: [
            (60.1699, 24.9384, "60.1699, 24.9384"), (0, 0, "0, 0"), (-0.00001, 0.000_001, "-0.00001, 0"),
            (-0.000_004_9, -0.000_005_1, "0, -0.00001"), (90, -180, "90, -180"),
            (-89.999_999_9, 179.999_999_9, "-90, 180"),
            (1.050_06, -10.1, "1.05006, -10.1"),
        ])
    func text(latitude: Double, longitude: Double, expected: String) throws {
        #expect(PointName(try Coordinate(latitude: latitude, longitude: longitude)).text == expected)
    }
}
