import PlaceContracts
import RPC
import Testing
import Wire

@testable import PlacesService

@Suite("P13 Import")
struct ImportTests {
    private static let centre = Coordinate(latitude: 1, longitude: 2)

    private func all(_ service: TestService) async throws -> [Place] {
        try await service.nearby(NearbyRequest(centre: Self.centre, radiusM: 100_000, limit: 200)).places
    }

    /// The same two places in each form.
    static let examples: [(name: String, text: String)] = [
        ("a.csv", "id,name,categories,lat,lon,note\n1,\"One, \"\"1\"\"\",a/b;c,1,2,x\n2,Two,,1.5,2,\n"),
        (
            "a.CSV",
            "\u{feff}Note,LONGITUDE,Latitude,Name,Category,source_id\r\n"
                + "x,2,1,\"One, \"\"1\"\"\",a/b;c,1\r\n,2,1.5,Two,,2"
        ),
        ("a.tsv", "id\tname\tcategories\tlat\tlon\tnote\n1\tOne, \"1\"\ta/b;c\t1\t2\tx\n2\tTwo\t\t1.5\t2\t\n"),
        ("a.txt", "y\tx\tname\tgeonameid\tkind\tnote\r\n1\t2\tOne, \"1\"\t1\ta/b;c\tx\r\n1.50\t2e0\tTwo\t2\t\t\r\n"),
        (
            "a.geojson",
            #"""
            {"type":"FeatureCollection","features":[
            {"type":"Feature","id":1,"properties":{"name":"One, \"1\"","categories":"a/b;c","note":"x"},
             "geometry":{"type":"Point","coordinates":[2,1,99]}},
            {"geometry":{"coordinates":[2.0,1.5],"type":"Point"},
             "properties":{"NAME":"Two","id":"2","note":null,"deep":{"a":[1]}},"type":"Feature"}]}
            """#
        ),
        (
            "a.json",
            #"""
            {"features":[{"properties":{"title":"One, \u00221\u0022","kind":"a/b;c","note":"x"},"id":"1",
             "geometry":{"type":"LineString","coordinates":[[1,0.5],[3,1.5]]}},
            {"id":"2","properties":{"name":"Two"},"geometry":{"type":"GeometryCollection","geometries":
             [{"type":"Polygon","coordinates":[[[1,1],[3,1],[3,2],[1,1]]]}]}}],
            "type":"FeatureCollection","crs":{"x":[[[]]]}}
            """#
        ),
    ]

    @Test("reads each form alike", arguments: examples.indices)
    func forms(index: Int) async throws {
        let form = Self.examples[index]
        try await TestService.run { service in
            let story = try await service.load(form.text, name: form.name)
            #expect(story.badRows.isEmpty)
            #expect(story.summary?.rowCount == 2)
            #expect(story.summary?.dataset?.placeCount == 2)
            let places = try await all(service)
            #expect(places.map(\.id) == ["catalog/test/1", "catalog/test/2"])
            #expect(places.map(\.name) == ["One, \"1\"", "Two"])
            #expect(places.first?.categories == ["a/b", "c"])
            #expect(places.first?.position == Self.centre)
            #expect(places.first?.attributes.map(\.value) == ["x"])
            #expect(places.first?.attributes.first?.key.lowercased() == "note")
            #expect(places.last?.position == Coordinate(latitude: 1.5, longitude: 2))
            #expect(places.last?.attributes == [])
        }
    }

    @Test("tells each bad row with its line and goes on")
    func badRows() async throws {
        let long = String(repeating: "n", count: 1025)
        let table =
            Array(
                "id,name,lat,lon\n1,good,1,2\n2,short,1\n3,\"multi\nline\",1,2\n4,,1,2\n5,a,x,2\n6,a,91,2\n7,a,1,nan\n"
                    .utf8)
            + Array("8,".utf8) + [0xff]
            + Array(",1,2\n,a,1,2\n9,\"b\"c,1,2\n10,\(long),1,2\n11,a,,2\n12,last,1,2\n".utf8)
        try await TestService.run { service in
            let story = try await service.load(table, name: "a.csv")
            #expect(
                story.badRows.map(\.line) == [3, 6, 7, 8, 9, 11, 12, 13, 14, 0])
            let reasons = story.badRows.map(\.reason)
            #expect(reasons[0] == "the row has 3 fields, the header has 4")
            #expect(reasons[1] == "it has no name")
            #expect(reasons[2] == "lat is \"x\", a number of degrees is needed")
            #expect(reasons[3].hasPrefix("latitude: 91.0 is not allowed; -90"))
            #expect(reasons[4] == "lon is \"nan\", a number of degrees is needed")
            #expect(reasons[5] == "it has no id")
            #expect(reasons[6] == "field 2 continues after its closing quote")
            #expect(reasons[7].hasPrefix("its name has 1025 bytes"))
            #expect(reasons[8] == "lat is \"\", a number of degrees is needed")
            #expect(reasons[9] == "a byte of it is not in UTF-8 and read as Windows-1252")
            let summary = try #require(story.summary)
            #expect(summary.rowCount == 13 && summary.badRowCount == 10 && summary.dataset?.placeCount == 4)
            #expect(try await all(service).map(\.name).sorted() == ["good", "last", "multi\nline", "ÿ"])
        }
    }

    @Test("tells each bad feature with its number and goes on")
    func badFeatures() async throws {
        let point = #""geometry":{"type":"Point","coordinates":[2,1]}"#
        let features = [
            #"{"id":"1","properties":{"name":"good"},\#(point)}"#, #"{"id":"2","properties":{},\#(point)}"#,
            #"{"id":"3","properties":{"name":"x"},"geometry":null}"#, #"{"properties":null,\#(point)}"#,
            #"{"id":"5","properties":{"name":"x"},"geometry":{"type":"Point","coordinates":[2]}}"#,
            #"{"id":"6","properties":{"name":"x"},"geometry":{"type":"Point","coordinates":[2,"1"]}}"#,
            #"{"id":"7","properties":{"name":"x"},"geometry":{"type":"Point","coordinates":[2,91]}}"#,
            #"{"id":"8","properties":{"name":"x"},"geometry":{"type":"Point","coordinates":[]}}"#,
            #"{"id":"9","properties":{"name":"x"},"geometry":{"type":"Point","coordinates":[2,1e400]}}"#,
            #"{"id":"10","properties":{"name":"last"},"geometry":{"type":"MultiPoint","coordinates":[[2,1],[2,1]]}}"#,
        ]
        let text = #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
        try await TestService.run { service in
            let story = try await service.load(text, name: "a.geojson")
            #expect(story.badRows.map(\.line) == [2, 3, 4, 5, 7, 8, 9])
            #expect(story.summary?.dataset?.placeCount == 3)
            #expect(try await all(service).map(\.name).sorted() == ["good", "last", "x"])
        }
    }

    @Test("takes the middle of a shape that crosses the antimeridian on the right side of the Earth")
    func antimeridian() async throws {
        let text =
            #"""
            {"type":"FeatureCollection","features":[{"id":"1","properties":{"name":"a"},
             "geometry":{"type":"LineString","coordinates":[[179,1],[-179,3]]}}]}
            """#
        try await TestService.run { service in
            try await service.load(text, name: "a.geojson")
            let near = NearbyRequest(centre: Coordinate(latitude: 2, longitude: -180))
            #expect(try await service.nearby(near).places.first?.distanceM == 0)
        }
    }

    @Test("reads any column as what it is said to be, and says which there are")
    func columnMap() async throws {
        let table = "caption,kind,b,l,code\nOne,k,2,1,x7\n"
        try await TestService.run { service in
            let map = ColumnMap(id: "code", name: "caption", latitude: "l", longitude: "b")
            try await service.load(table, name: "a.csv", columns: map)
            #expect(try await all(service).map(\.id) == ["catalog/test/x7"])
            let missing = try await service.refusal { _ in
                try await service.load(
                    table, name: "a.csv", columns: ColumnMap(name: "Caption", latitude: "l", longitude: "b"))
            }
            #expect(missing.code == .invalidArgument)
            #expect(
                missing.message.hasSuffix("it has no column \"Caption\"; its columns are caption, kind, b, l, code"))
            let unknown = try await service.refusal { _ in try await service.load(table, name: "a.csv") }
            #expect(unknown.message.contains("no column is called name, title, label; its columns are caption"))
            #expect(try await all(service).map(\.id) == ["catalog/test/x7"])
        }
    }

    @Test("makes ids of name and position when the file has none, the same each time")
    func madeIDs() async throws {
        try await TestService.run { service in
            let story = try await service.load("name,lat,lon\na,1,2\nb,1,2\na,1,2.0\n", name: "a.csv")
            #expect(story.summary?.duplicateCount == 1)
            let first = try await all(service)
            #expect(Set(first.map(\.name)) == ["a", "b"])
            try await service.load("lon,lat,name\n2,1,b\n5,5,c\n2,1.00000000,a\n", name: "a.csv")
            let second = try await all(service)
            #expect(Set(first.map(\.id)) == Set(second.map(\.id)))
        }
    }

    @Test("keeps the last row of an id and counts the others")
    func duplicates() async throws {
        try await TestService.run { service in
            let story = try await service.load("id,name,lat,lon\n1,a,1,2\n1,b,1,2\n2,c,1,2\n1,d,1,2\n", name: "a.csv")
            #expect(story.summary?.duplicateCount == 2 && story.summary?.rowCount == 4)
            #expect(try await all(service).map(\.name) == ["d", "c"])
        }
    }

    @Test("reports how far it is")
    func progress() async throws {
        let rows = (0..<5000).map { "\($0)\tn\t1\t2\n" }.joined()
        try await TestService.run { service in
            let story = try await service.load("id\tname\tlat\tlon\n" + rows)
            let last = try #require(story.progress.last)
            #expect(last.phase == "writing" && last.rowCount == 5000)
            #expect(last.readByteCount == last.totalByteCount && last.totalByteCount > 50_000)
            #expect(story.progress.map(\.rowCount) == story.progress.map(\.rowCount).sorted())
        }
    }
}
