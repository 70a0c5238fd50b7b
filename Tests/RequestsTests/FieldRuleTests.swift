import Contracts
import Refusals
import Testing
import Wire

@Suite("D5 A request's check refuses what its .proto does not allow")
struct FieldRuleTests {
    private static let id = "0198a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"

    private static func point(_ latitude: Double, _ longitude: Double = 0) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    @Test("of numbers and points, by the path of what is wrong, as it was given")
    func numbers() {
        let centre = Self.point(1)
        expect(NearbyRequest(centre: centre).check, nil)
        expect(NearbyRequest().check, "centre: it is missing; a latitude and a longitude are needed")
        expect(
            NearbyRequest(centre: Self.point(91)).check,
            "centre.latitude: 91.0 is not allowed; -90 to 90 degrees are")
        expect(
            NearbyRequest(centre: Self.point(0, .nan)).check,
            "centre.longitude: nan is not allowed; -180 to 180 degrees are")
        for radius in [-0.001, 100_000.5, .nan, .infinity] {
            expect(
                PinsNearRequest(centre: centre, radiusM: radius).check,
                "radius_m: \(radius) is not allowed; 0 to 100,000 metres are")
            // A setting says how far places are searched.
            expect(NearbyRequest(centre: centre, radiusM: radius).check, nil)
        }
        expect(NearbyRequest(centre: centre, limit: 0).check, "limit: 0 is not allowed; 1 to 200 are")
        expect(ListDatasetsRequest(pageSize: 0).check, "page_size: 0 is not allowed; 1 to 1,000 are")
        expect(
            SetMapRegionRequest(region: Region(centre: centre, span: Span(latitudeDelta: 0, longitudeDelta: 1))).check,
            "region.span.latitude_delta: 0.0 is not allowed; 1e-07 to 180 degrees are")
        expect(SetMapRegionRequest().check, "region: it is missing; a centre and a span are needed")
    }

    @Test("of spans of time, those that are none too")
    func durations() {
        func life(_ seconds: Int64, _ nanos: Int32 = 0) -> CreateShareRequest {
            CreateShareRequest(life: DurationMessage(seconds: seconds, nanos: nanos))
        }
        expect(CreateShareRequest().check, nil)
        expect(life(60).check, nil)
        for (seconds, nanos) in [(0, 0), (59, 999_999_999), (315_360_000, 1), (60, -1), (.max, 0)] {
            expect(
                life(Int64(seconds), Int32(nanos)).check,
                "life: \(seconds) s and \(nanos) ns is not allowed; 1 minute to 10 years are")
        }
    }

    @Test("of texts: what is missing, too long, or written in another way")
    func texts() {
        expect(GetPinRequest(id: Self.id).check, nil)
        expect(GetPinRequest().check, "id: \"\" is not allowed; a UUID is")
        expect(GetPinRequest(id: "7").check, "id: \"7\" is not allowed; a UUID is")
        expect(GetBoundsRequest().check, nil)
        expect(DeleteShareRequest().check, "id: it is missing; the id of a link is needed")
        expect(
            DeleteShareRequest(id: String(repeating: "é", count: 65)).check,
            "id: 65 characters are not allowed; at most 64 are")
        expect(FindRequest(text: " \n").check, "text: it is missing; a name, an address or a position is needed")
        expect(FindRequest(text: "\u{200b}").check, nil)
        expect(LogInRequest().check, "email: it is missing; an address such as ann@example.org is needed")
        expect(
            SignUpRequest(email: "a@b", password: "short").check,
            "password: 5 characters are not allowed; 8 to 200 are")
        let nameless = "name: it is missing; a name of 1 to 100 characters is needed"
        expect(CreateListRequest(name: " \u{3000}").check, nameless)
        expect(
            CreateListRequest(name: "a\nb").check,
            "name: a control character or a line's end is not allowed; one line of text is")
        expect(ChangeListRequest(id: Self.id).check, nil)
        expect(ChangeListRequest(id: Self.id, name: "").check, nameless)
        expect(
            CreateListRequest(name: "a", requestId: "é").check,
            "request_id: \"é\" is not allowed; at most 64 printable ASCII characters are")
    }

    @Test("of a line, whose white space around it does not count")
    func lines() {
        let name = String(repeating: "e\u{301}", count: 100)
        expect(RenamePinRequest(id: Self.id, name: "\n\(name) \u{3000}").check, nil)
        expect(RenamePinRequest(id: Self.id, name: "\n\u{200b}").check, nil)
        expect(
            RenamePinRequest(id: Self.id, name: name + "e").check,
            "name: 201 characters are not allowed; at most 200 are")
        expect(AnnotatePinRequest(id: Self.id, note: "a\n\tb\r\n", visitedDate: "").check, nil)
        expect(AnnotatePinRequest(id: Self.id, note: String(repeating: "\u{3000}", count: 3_000)).check, nil)
        // What can't be seen is kept too, but for white space.
        expect(
            AnnotatePinRequest(id: Self.id, note: String(repeating: "\u{200b}", count: 2_001)).check,
            "note: 2001 characters are not allowed; at most 2000 are")
        expect(
            AnnotatePinRequest(id: Self.id, note: "a\u{7}").check,
            "note: a control character is not allowed; lines of text are")
        expect(
            AnnotatePinRequest(id: Self.id, visitedDate: "2026-02-29").check,
            "visited_date: \"2026-02-29\" is not allowed; a day is, as 2026-05-04, or nothing")
    }

    @Test("of lists: their length, and each entry by its place")
    func lists() {
        func add(_ ids: [String]) -> AddToListRequest { AddToListRequest(id: Self.id, pinIds: ids) }
        expect(add([Self.id]).check, nil)
        expect(add([]).check, "pin_ids: it is missing; 1 to 500 ids of pins are needed")
        expect(
            add(Array(repeating: Self.id, count: 501)).check, "pin_ids: 501 ids are not allowed; at most 500 are")
        expect(add([Self.id, "x"]).check, "pin_ids[1]: \"x\" is not allowed; a UUID is")
        let centre = Self.point(1)
        expect(
            NearbyRequest(centre: centre, categories: ["a", "/"]).check,
            "categories[1]: 0 characters are not allowed; 1 to 255 are")
        expect(
            NearbyRequest(centre: centre, networks: ["flickr"]).check,
            "networks[0]: \"flickr\" is not allowed; catalog, foursquare, instagram, openstreetmap are")
        let place = StarredPlace(id: "a/1", categories: [" "], position: centre)
        expect(
            StarPlaceRequest(place: place).check,
            "place.categories[0]: it is missing; 1 to 255 characters are needed")
    }

    @Test("of what only answers have")
    func answered() {
        let place = StarredPlace(id: "a/1", position: Self.point(1), starTime: TimestampMessage(unixSeconds: 1))
        expect(StarPlaceRequest(place: place).check, "place.star_time: it is set; only answers have it")
        expect(
            PutPhotoRequest(photo: Photo(id: "a/1", position: Self.point(1), reason: .near)).check,
            "photo.reason: it is set; only answers have it")
    }

    @Test("of bytes")
    func bytes() {
        func part(_ count: Int) -> AddPinImportPartRequest {
            AddPinImportPartRequest(id: Self.id, data: [UInt8](repeating: 0, count: count))
        }
        expect(part(1 << 20).check, nil)
        expect(part(0).check, "data: it is missing; the bytes of the part are needed")
        expect(part((1 << 20) + 1).check, "data: 1048577 bytes are not allowed; at most 1048576 are")
        expect(
            FinishPasskeyLogInRequest(challenge: [1]).check, "challenge: 1 bytes are not allowed; 32 are")
    }

    private func expect(
        _ check: () throws(Refusal) -> Void, _ sentence: String?, location: SourceLocation = #_sourceLocation
    ) {
        do {
            try check()
            #expect(sentence == nil, sourceLocation: location)
        } catch {
            #expect("\(error)" == sentence, sourceLocation: location)
        }
    }
}
