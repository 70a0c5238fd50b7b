import Geo
import TestTools
import Testing

@testable import PlacesService

@Suite("P50 Positions as people write them")
struct WrittenPositionTests {
    /// Degrees of a text; nil when it is no position.
    private static func degrees(_ text: String) -> [Double]? {
        guard case .point(let point) = WrittenPosition(text) else { return nil }
        return [point.latitude, point.longitude]
    }

    @Test(
        "in degrees, with minutes and seconds or without, are understood",
        arguments: [
            ("60.1699, 24.9384", 60.1699, 24.9384), ("60.1699,24.9384", 60.1699, 24.9384),
            ("  60.1699 24.9384 ", 60.1699, 24.9384), ("60,1699 24,9384", 60.1699, 24.9384),
            ("60,1699; 24,9384", 60.1699, 24.9384), ("(60.1699, 24.9384)", 60.1699, 24.9384),
            ("-33.8568,151.2153", -33.8568, 151.2153), ("\u{2212}33.8568 151.2153", -33.8568, 151.2153),
            ("-33 151.2", -33, 151.2),
            ("60.1699N 24.9384E", 60.1699, 24.9384), ("60.1699° N, 24.9384° E", 60.1699, 24.9384),
            ("N60.1699 E24.9384", 60.1699, 24.9384), ("33.8568 S 151.2153 E", -33.8568, 151.2153),
            ("24.9384 E, 60.1699 N", 60.1699, 24.9384), ("40.6892° N 74.0445° W", 40.6892, -74.0445),
            ("60°10'11.64\"N 24°56'18.24\"E", 60.1699, 24.9384),
            ("60° 10′ 11.64″ N, 24° 56′ 18.24″ E", 60.1699, 24.9384),
            ("60°10’11.64”N 24°56’18.24”E", 60.1699, 24.9384), ("60 10 11.64 N 24 56 18.24 E", 60.1699, 24.9384),
            ("N 60 10.194 E 24 56.304", 60.1699, 24.9384), ("N 60° 10.194' E 24° 56.304'", 60.1699, 24.9384),
            ("60°10'11.64''N 24°56'18.24''E", 60.1699, 24.9384), ("-60°30' 24°15'", -60.5, 24.25),
        ])
    func degrees(text: String, latitude: Double, longitude: Double) {
        #expect(Self.degrees(text) == [latitude, longitude], "\(text)")
    }

    @Test(
        "as geo URIs and as links to maps are understood, also without their scheme",
        arguments: [
            ("geo:60.1699,24.9384", 60.1699, 24.9384), ("GEO:60.1699,24.9384;u=35", 60.1699, 24.9384),
            ("geo:60.1699,24.9384?z=15", 60.1699, 24.9384), ("geo:0,0?q=60.1699,24.9384(Here)", 60.1699, 24.9384),
            ("https://www.openstreetmap.org/#map=17/60.1699/24.9384", 60.1699, 24.9384),
            ("https://www.openstreetmap.org/?mlat=60.1&mlon=24.9#map=5/1/2", 60.1, 24.9),
            ("openstreetmap.org/node/1#map=17/60.1699/24.9384&layers=C", 60.1699, 24.9384),
            ("https://osm.org/#map=3/-33.5/151.25", -33.5, 151.25),
            ("https://www.google.com/maps/@60.1699,24.9384,15z", 60.1699, 24.9384),
            ("https://www.google.co.uk/maps/place/X/@1.5,2.5,17z/data=!4b1!3d60.1699!4d24.9384", 60.1699, 24.9384),
            ("https://www.google.com/maps?q=60.1699,24.9384", 60.1699, 24.9384),
            ("https://maps.google.com/?q=60.1699%2C24.9384&z=4", 60.1699, 24.9384),
            ("https://www.google.com/maps/search/?api=1&query=60.1699%2C%2024.9384", 60.1699, 24.9384),
            ("https://www.google.com/maps/dir/?api=1&destination=60.1699,24.9384", 60.1699, 24.9384),
            ("https://maps.apple.com/?ll=60.1699,24.9384&q=Amos%20Rex", 60.1699, 24.9384),
            ("https://maps.apple.com/place?coordinate=60.1699,24.9384&name=x", 60.1699, 24.9384),
            ("geo:0,0?z=15&q=60.1699,24.9384(Here)", 60.1699, 24.9384),
            ("geo:0,0?q=60.1699%2C24.9384(Here)", 60.1699, 24.9384),
            ("geo:0,0?q=60.1699,%2024.9384", 60.1699, 24.9384), ("geo:?q=60.1699,24.9384", 60.1699, 24.9384),
            ("geo:1,2?z=15&q=60.1699,24.9384(Pin)", 60.1699, 24.9384), ("geo:60.1699,24.9384?q=", 60.1699, 24.9384),
            ("geo:60.1699,24.9384;crs=WGS84;u=35", 60.1699, 24.9384), ("geo:0,0", 0, 0),
            ("https://www.google.com/maps/place/60.1699,+24.9384/@60.2,24.8,14z", 60.1699, 24.9384),
            ("https://www.google.com/maps/search/60.1699,+24.9384?entry=tts", 60.1699, 24.9384),
            ("https://www.google.com/maps/place/60%C2%B030'N+24%C2%B015'E/@60.2,24.8,14z", 60.5, 24.25),
            ("https://maps.google.com/maps?q=60%C2%B030%27N+24%C2%B015%27E&ll=1,2", 60.5, 24.25),
            ("https://www.google.com/maps/dir/1.5,2.5/60.1699,24.9384/@40,20,6z", 60.1699, 24.9384),
            ("https://www.google.com/maps/dir/A/B/@40,20,6z/data=!1d1.5!2d2.5!1d24.9384!2d60.1699", 60.1699, 24.9384),
            ("https://www.openstreetmap.org/search?query=60.1699%2C24.9384#map=5/1/2", 60.1699, 24.9384),
            ("https://www.openstreetmap.org/directions?route=1,2;60.1699,24.9384#map=5/1/2", 60.1699, 24.9384),
        ])
    func links(text: String, latitude: Double, longitude: Double) {
        #expect(Self.degrees(text) == [latitude, longitude], "\(text)")
    }

    @Test(
        "as geo URIs that ask for something are a search for that, near their point unless it is 0, 0",
        arguments: [
            ("geo:0,0?q=Mannerheimintie+20+Helsinki", "Mannerheimintie 20 Helsinki", nil),
            ("geo:0,0?q=Helsinki", "Helsinki", nil), ("geo:0,0?z=3&q=Caf%C3%A9%20Ursula", "Café Ursula", nil),
            ("GEO:60.1699,24.9384?q=pizza", "pizza", [60.1699, 24.9384]),
        ] as [(String, String, [Double]?)])
    func searches(text: String, words: String, near: [Double]?) {
        guard case .search(let found, let point) = WrittenPosition(text) else {
            Issue.record("\(text) is no search")
            return
        }
        #expect(found == words && point.map { [$0.latitude, $0.longitude] } == near)
    }

    @Test("are not found where a sign is joined with another", arguments: Joiner.all)
    func joined(joiner: Joiner) {
        for text in ["60.1699\(joiner.around(","))24.9384", "geo:60.1699,24.9384\(joiner.around(";"))u=1"] {
            if let found = Self.degrees(text) { #expect(found == [60.1699, 24.9384], "\(text)") }
        }
    }

    /// The points are those of the specification's own test data.
    @Test("as plus codes are understood, whole or beside a point")
    func plusCodes() throws {
        let zurich = try #require(Self.degrees("8FVC9G8F+6X"))
        #expect(abs(zurich[0] - 47.365_562_5) < 1e-6 && abs(zurich[1] - 8.524_937_5) < 1e-6, "\(zurich)")
        let fine = try #require(Self.degrees("8fvc9g8f+6xq"))
        #expect(abs(fine[0] - 47.365_587_5) < 1e-6 && abs(fine[1] - 8.524_984_375) < 1e-6, "\(fine)")
        #expect(Self.degrees("7FG49Q00+") == [20.375, 2.775])
        // Eight letters are whole, a link has the sign as %2B, and eight digits with a sign are a number.
        #expect(Self.degrees("9GG65WCR+") == [60.171_25, 24.941_25] && Self.degrees("23456789+") == nil)
        let linked = try #require(Self.degrees("https://plus.codes/8FVC9G8F%2B6X"))
        #expect(linked == zurich && Self.degrees("8FVC9G8F%2B6X") == zurich)
        guard case .shortCode(let code, let place) = WrittenPosition("9G8F+6X Zürich, Switzerland") else {
            Issue.record("no short code")
            return
        }
        #expect(place == "Zürich Switzerland")
        let point = try #require(code.point(near: try Coordinate(latitude: 47.4, longitude: 8.6)))
        #expect(abs(point.latitude - zurich[0]) < 1e-6 && abs(point.longitude - zurich[1]) < 1e-6)
        // Across the antimeridian the nearest one is beyond it.
        guard case .shortCode(let far, _) = WrittenPosition("X2X2+X2") else { return }
        let east = try #require(far.point(near: try Coordinate(latitude: 0, longitude: -179.99)))
        #expect(east.metres(to: try Coordinate(latitude: 0, longitude: -179.99)) < 120_000)
    }

    @Test(
        "are not seen in other texts",
        arguments: [
            "", " ", "Helsinki", "14-20", "60 24", "60,24", "Mannerheimintie 22", "91.5, 24.9", "60.1, 181", "60.1",
            "60.1, 24.9, 3.5", "1.5.2, 3", "N E", "12 E 5", "60°75' 24°1'", "geo:", "geo:0,0?q=", "geo:60,16,24,93",
            "geo:60,1699,24,9384", "geo:5,6;crs=EPSG:32618",
            "https://maps.google.com/?q=60,16,24,93", "https://www.google.com/maps/dir/60.1,24.9/Helsinki/@40,20,6z",
            "geo:x,y", "geo:91,0", "0x1p3, 2.5",
            "nan, 1.5", "inf 2.5", "https://example.org/?q=60.1,24.9", "https://google.evil.example/maps?q=1.5,2.5",
            "https://www.google.com/search?q=60.1,24.9", "https://osm.org/", "C++", "A+B", "+", "8FVC9G8F+6",
            "ZZZZ9G8F+6X", "1.5 2.5 N S", String(repeating: "9", count: 3_000), String(repeating: "1 ", count: 40),
        ])
    func others(text: String) { #expect(WrittenPosition(text) == nil, "\(text.prefix(80))") }
}
