import PhotoContracts
import Geo
import HTTP
import HTTPClient
import LiveNetworks
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P26 P45 Photos from Panoramax", .timeLimit(.minutes(2)))
struct PanoramaxTests {
    /// One picture of an answer, as the API describes it.
    struct Picture {
        var id = "aaaaaaaa-0000-4000-8000-000000000001"
        var place = "4.8952,52.3702"
        var licence = #""license":"CC-BY-SA-4.0","#
        var view = #"{"field_of_view":70,"sensor_array_dimensions":[4000,3000]}"#
        var href = "https://x.example/sd.jpg"
        var semantics = ""
        var people = #"[{"id":"1","name":"some-account"},{"name":"A. Person"}]"#

        var text: String {
            """
            {"type":"Feature","id":"\(id)","geometry":{"type":"Point","coordinates":[\(place)]},"providers":\(people),
             "properties":{"datetime":"2025-05-01T10:00:00+00:00","datetimetz":"2025-05-01T12:00:00+02:00",\(licence)\(semantics)"view:azimuth":120,"exif":{"Serial":"1"},
              "geovisio:producer":"some-account","pers:interior_orientation":\(view)},
             "assets":{"hd":{"href":"https://x.example/hd.jpg"},"sd":{"href":"\(href)"}},
             "links":[{"rel":"via","href":"https://panoramax.openstreetmap.fr"}]}
            """
        }
    }

    private static func answer(_ pictures: [Picture]) -> String {
        #"{"features":[\#(pictures.map(\.text).joined(separator: ","))],"links":[]}"#
    }

    private static func photos(_ pictures: [Picture]) throws -> [StoredPhoto] {
        let response = HTTPClientResponse(status: 200, body: Array(answer(pictures).utf8))
        let provider = PanoramaxProvider(url: PanoramaxProvider.defaultURL)
        return try provider.answer(response, at: 0).get().items.map(\.photo)
    }

    @Test("a picture has its person, its licence as people write it, its time, and the page that shows it")
    func facts() throws {
        let photo = try #require(try Self.photos([Picture()]).first)
        #expect(photo.id.text == "panoramax/aaaaaaaa-0000-4000-8000-000000000001")
        #expect(photo.credit.author == "A. Person" && photo.credit.licence == "CC BY-SA 4.0")
        #expect(
            photo.credit.sourceURL
                == "https://api.panoramax.xyz/#focus=pic&pic=aaaaaaaa-0000-4000-8000-000000000001")
        #expect(photo.originalURL == "https://x.example/sd.jpg" && photo.width == 4000)
        #expect(photo.takenMilliseconds == 1_746_093_600_000 && photo.takenOffsetMinutes == 120)
        #expect(photo.position == (try Geo.Coordinate(latitude: 52.3702, longitude: 4.8952)))
    }

    @Test(
        "what shows all around, has no free licence, or can't be fetched or named safely is not listed",
        arguments: [
            Picture(view: #"{"field_of_view":360}"#), Picture(view: #"{"sensor_array_dimensions":[5760,2880]}"#),
            Picture(licence: #""license":"proprietary","#), Picture(licence: ""),
            Picture(licence: #""license":"CC-BY-SA","#), Picture(href: "http://169.254.169.254/latest"),
            Picture(href: "file:///etc/passwd"), Picture(id: "../../etc"), Picture(place: "200,91"),
            Picture(place: "4"),
        ])
    func unusable(picture: Picture) throws {
        #expect(try Self.photos([picture, Picture()]).count == 1)
    }

    @Test("a licence of the state, one without an author's name, and a phone's picture without a view are listed")
    func usable() throws {
        let photos = try Self.photos([
            Picture(licence: #""license":"etalab-2.0","#), Picture(people: "[]"), Picture(view: "{}"),
        ])
        #expect(photos.map(\.credit.licence) == ["Licence Ouverte 2.0", "CC BY-SA 4.0", "CC BY-SA 4.0"])
        #expect(photos[1].credit.author == "some-account")
    }

    @Test(
        "P28 what is said to be on a picture are its tags, but not who says so; what has another shape is none",
        arguments: [
            (
                #"[{"key":"osm|amenity","value":"bench"},{"key":"source[osm|amenity=bench]","value":"me"}]"#,
                ["osm|amenity=bench"]
            ),
            (
                #"[7,{"key":"a"},{"key":"a","value":1},{"key":"b","value":"c\u0000d"},{"key":"b","value":"c d"}]"#,
                ["b=c d"]
            ),
            ("null", []), (#""a=b""#, []), (#"{"a":"b"}"#, []),
        ] as [(String, [String])])
    func tags(semantics: String, tags: [String]) throws {
        #expect(try Self.photos([Picture(semantics: #""semantics":\#(semantics),"#)]).map(\.tags) == [tags])
    }

    @Test("it is asked about a box; on both sides of the antimeridian about both parts")
    func boxes() throws {
        let provider = PanoramaxProvider(url: "https://p.example/api")
        let paris = try #require(
            GridPatch([GridCell(of: try Geo.Coordinate(latitude: 48.8584, longitude: 2.2945))]))
        let url = provider.request(paris, cursor: nil).url
        #expect(url.hasPrefix("https://p.example/api/search?bbox=2.2") && url.hasSuffix("&limit=200"))
        let fiji = try #require(
            GridPatch([
                GridCell(of: try Geo.Coordinate(latitude: -17, longitude: 179.9999)),
                GridCell(of: try Geo.Coordinate(latitude: -17, longitude: -179.9999)),
            ]))
        #expect(provider.request(fiji, cursor: nil).url.contains("intersects=%7B%22type%22%3A%22MultiPolygon%22"))
    }

    @Test("an album fills from it, here from a server of the own network, which the operator has named")
    func fills() async throws {
        let bytes = TestJPEG(width: 640, height: 480).bytes { x, y in (UInt8(x & 255), UInt8(y & 255), 9) }
        try await TemporaryFolder.with { folder in
            _ = try PictureFiles(folder)
            let answer: HTTPFixture.Answer = { request in
                guard request.path.hasPrefix("/api/search") else { return HTTPResponse(200, body: .bytes(bytes)) }
                let href = "http://\(request.headers["host"] ?? "")/files/1.jpg"
                return HTTPResponse(200, text: Self.answer([Picture(href: href)]))
            }
            try await HTTPFixture.with(answer) { _, url in
                let arguments = [
                    "--panoramax-url", "\(url)/api", "--panoramax-files", "\(url)/files", "--contact", "a@b.example",
                ]
                try await RunningPhotoService.working(in: folder, arguments: arguments) { service in
                    let request = SearchAlbumsRequest(
                        pinId: "p1", generation: 1, centre: Coordinate(latitude: 52.3702, longitude: 4.8952),
                        radiusM: 500, isLast: true)
                    _ = try await service.search.searchAlbums(request, service.peerOptions)
                    try await service.watchToEnd("pin/p1")
                    let album = try await service.album("pin/p1")
                    #expect(album.album?.summary == AlbumSummary(state: .complete, photoCount: 1, readyCount: 1))
                }
            }
        }
    }
}
