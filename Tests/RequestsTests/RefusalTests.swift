import Contracts
import Geo
import Refusals
import Requests
import Testing

@Suite("D5 A refusal names the field, the value and what is allowed")
struct RefusalTests {
    @Test("in the same words, whatever was wrong")
    func words() {
        let refusals = [
            (Refusal("limit", 0, allowed: "1 to 200 are"), "limit: 0 is not allowed; 1 to 200 are"),
            (Refusal("id", text: "a", allowed: "a UUID is"), "id: \"a\" is not allowed; a UUID is"),
            (
                Refusal("name", 201, "characters", allowed: "at most 200 are"),
                "name: 201 characters are not allowed; at most 200 are"
            ),
            (Refusal(missing: "photo", needed: "a photo is"), "photo: it is missing; a photo is needed"),
            (Refusal("radius_m", "there must be none"), "radius_m: there must be none"),
        ]
        for (refusal, sentence) in refusals { #expect("\(refusal)" == sentence) }
    }

    @Test("and quotes no more than the beginning of a long text")
    func quotes() {
        #expect("a\"b".quoted == "\"a\"b\"")
        #expect(String(repeating: "e\u{301}", count: 1_000).quoted.unicodeScalars.count == 63)
    }

    @Test("and numbers are written as people write them")
    func numbers() {
        for (number, text) in [
            (0, "0"), (999, "999"), (1_000, "1,000"), (-12_345, "-12,345"), (1_234_567, "1,234,567"),
        ] {
            #expect(GroupedNumber.text(number) == text)
        }
    }

    @Test("Queries that several messages have are the same in each")
    func shared() {
        let radii = [NearbyRequest.radiusMRange, ExploreRequest.radiusMRange, PhotosNearRequest.radiusMRange]
        #expect((radii + [PostsNearRequest.radiusMRange]).allSatisfy { $0 == PinsNearRequest.radiusMRange })
        #expect(MovePinRequest.radiusMRange == CreatePinRequest.radiusMRange)
        let limits = [NearbyRequest.limitRange, WithinRequest.limitRange, ExploreRequest.limitRange]
        #expect((limits + [PhotosNearRequest.limitRange]).allSatisfy { $0 == PinsNearRequest.limitRange })
        let standards = [WithinRequest.limitDefault, ExploreRequest.limitDefault, PinsNearRequest.limitDefault]
        #expect((standards + [PhotosNearRequest.limitDefault]).allSatisfy { $0 == NearbyRequest.limitDefault })
        let distances = [ExploreRequest.radiusMDefault, PinsNearRequest.radiusMDefault]
        #expect((distances + [PhotosNearRequest.radiusMDefault]).allSatisfy { $0 == NearbyRequest.radiusMDefault })
    }

    @Test("of a point and a box, by the path of the number that is wrong")
    func points() throws {
        func point(_ latitude: Double, _ longitude: Double) -> Contracts.Coordinate {
            Contracts.Coordinate(latitude: latitude, longitude: longitude)
        }
        #expect(try Geo.Coordinate(point(1, 2), field: "centre") == Geo.Coordinate(latitude: 1, longitude: 2))
        #expect(throws: Refusal("centre.latitude", "91.0 is not allowed; -90 to 90 degrees are")) {
            try Geo.Coordinate(point(91, 0), field: "centre")
        }
        #expect(throws: Refusal("centre.longitude", "nan is not allowed; -180 to 180 degrees are")) {
            try Geo.Coordinate(point(0, .nan), field: "centre")
        }
        #expect(throws: Refusal("centre", "it is missing; a latitude and a longitude are needed")) {
            try Geo.Coordinate(nil, field: "centre")
        }
        let upsideDown = Contracts.Box(southWest: point(2, 0), northEast: point(1, 1))
        #expect(
            throws: Refusal("box.south_west.latitude", "2.0 is not allowed; at most that of north_east, 1.0, is")
        ) { try Geo.Box(upsideDown, field: "box") }
    }

    @Test("A box from -180 to 180 degrees is all the way round, not a line along their one meridian")
    func world() throws {
        let corners = (
            Contracts.Coordinate(latitude: -90, longitude: -180), Contracts.Coordinate(latitude: 90, longitude: 180)
        )
        #expect(try Geo.Box(Contracts.Box(southWest: corners.0, northEast: corners.1), field: "box") == .world)
    }
}
