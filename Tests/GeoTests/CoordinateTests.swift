import Geo
import Testing

@Suite("Coordinates")
struct CoordinateTests {
    @Test(
        "refuse what is not on the Earth, naming field, value and range",
        arguments: [
            (90.0000001, 0.0, "latitude"), (-91, 0, "latitude"), (.nan, 0, "latitude"), (.infinity, 0, "latitude"),
            (0, 180.0000001, "longitude"), (0, -181, "longitude"), (0, .nan, "longitude"), (0, -.infinity, "longitude"),
        ])
    func refused(latitude: Double, longitude: Double, field: String) throws {
        let error = #expect(throws: GeoError.self) { try Coordinate(latitude: latitude, longitude: longitude) }
        let text = try #require(error).description
        let value = field == "latitude" ? latitude : longitude
        #expect(text.hasPrefix("\(field): \(value) is not allowed; -"))
    }

    @Test("are rounded to a ten-millionth of a degree")
    func rounded() throws {
        let point = try Coordinate(latitude: 60.16985559, longitude: -24.93837912)
        #expect(point.latitudeE7 == 601_698_556)
        #expect(point.longitudeE7 == -249_383_791)
        #expect(point.latitude == 60.1698556)
        #expect(point.longitude == -24.9383791)
    }

    @Test("know one meridian at 180 degrees")
    func oneMeridian() throws {
        #expect(try Coordinate(latitude: 5, longitude: 180) == Coordinate(latitude: 5, longitude: -180))
        #expect(try Coordinate(latitude: 5, longitude: 179.99999999).longitudeE7 == -1_800_000_000)
        #expect(try Coordinate(latitudeE7: 0, longitudeE7: 1_800_000_000).longitude == -180)
    }

    @Test("keep the longitude given at a pole")
    func pole() throws { #expect(try Coordinate(latitude: 90, longitude: 77).longitude == 77) }

    @Test("refuse whole units out of range")
    func units() {
        #expect(throws: GeoError.self) { try Coordinate(latitudeE7: .min, longitudeE7: 0) }
        #expect(throws: GeoError.self) { try Coordinate(latitudeE7: 0, longitudeE7: 1_800_000_001) }
    }
}
