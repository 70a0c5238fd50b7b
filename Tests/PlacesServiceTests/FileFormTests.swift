import PlaceContracts
import RPC
import TestTools
import Testing

@testable import PlacesService

@Suite("P13 A14 Forms of files")
struct FileFormTests {
    private static let feature =
        #"{"type":"Feature","id":"1","properties":{"name":"One","note":"x"},"geometry":{"type":"Point","coordinates":[2,1]}}"#
    private static let second =
        #"{"geometry":{"type":"Point","coordinates":[2,1]},"properties":{"name":"Two"},"type":"Feature","id":2}"#

    /// Files with "One", and some with "Two" too, at 1° N 2° E.
    private static let files: [(name: String, text: String, names: [String])] = [
        ("semicolons.csv", "name;lat;lon\nOne;1;2\nTwo;1,0;2,0\n", ["One", "Two"]),
        ("bars.csv", "name|lat|lon\n\"One\"|1|2\n", ["One"]), ("tabs.csv", "name\tlat\tlon\nOne\t1\t2\n", ["One"]),
        ("blanks.csv", " name , lat , lon\nOne,1,2\n", ["One"]),
        ("quoted.csv", "\"name;or,so\",\"lat\",\"lon\",name\nx,1,2,One\n", ["One"]),
        ("labels.csv", "label,lat,lon\nOne,1,2\n", ["One"]),
        ("english.geojson", feature.replacing("\"name\"", with: "\"name:en\""), ["One"]),
        ("one.geojson", feature, ["One"]), ("lines.geojsonl", "\(feature)\n\(second)\n", ["One", "Two"]),
        ("lines.ndjson", "\(feature)\r\n\r\n\(second)", ["One", "Two"]),
        ("sequence.geojson", "\u{1e}\(feature)\n\u{1e}\(second)\n", ["One", "Two"]),
        ("lists.json", #"{"type":"FeatureCollection","features":[\#(feature)]}"# + "\n" + second, ["One", "Two"]),
        (
            "way.gpx",
            #"""
            <?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
            <metadata><name>Tour</name></metadata>
            <wpt lat="1" lon="2"><ele>7</ele><name>One</name><desc>a &amp; b</desc><link href="https://x"/><type>cafe</type></wpt>
            <wpt lat="1.0" lon="2.0"><name><![CDATA[Two]]></name></wpt>
            <trk><name>Track</name><trkseg><trkpt lat="1" lon="2"><name>no</name></trkpt></trkseg></trk></gpx>
            """#, ["One", "Two"]
        ),
        (
            "places.kml",
            #"""
            <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Doc</name><Folder><name>F</name>
            <Placemark id="p1"><name>One</name><ExtendedData><Data name="note"><value>x</value></Data></ExtendedData>
             <Point><coordinates> 2,1,0 </coordinates></Point></Placemark>
            <Placemark><name>Two</name><Polygon><outerBoundaryIs><LinearRing><coordinates>
             1,0 3,0 3,2
             1,2 1,0</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
            </Folder></Document></kml>
            """#, ["One", "Two"]
        ),
    ]

    @Test("tables with other separators, single features, lines of them, GPX and KML are read alike")
    func forms() async throws {
        try await TestService.run { service async throws in
            for (name, text, names) in Self.files {
                let story = try await service.load(text, name: name)
                #expect(story.badRows.isEmpty, "\(name): \(story.badRows)")
                let near = NearbyRequest(centre: Coordinate(latitude: 1, longitude: 2), radiusM: 1)
                let places = try await service.nearby(near).places
                #expect(places.map(\.name).sorted() == names, "\(name): \(places.map(\.name))")
            }
        }
    }

    @Test("what a waypoint and a placemark say of themselves is kept")
    func attributes() async throws {
        try await TestService.run { service async throws in
            for (name, id, attributes) in [
                ("way.gpx", nil, ["elevation": "7", "description": "a & b", "website": "https://x"]),
                ("places.kml", "catalog/test/p1", ["note": "x"]),
            ] as [(String, String?, [String: String])] {
                let file = try #require(Self.files.first { $0.name == name })
                try await service.load(file.text, name: name)
                let near = NearbyRequest(centre: Coordinate(latitude: 1, longitude: 2), nameText: "One")
                let place = try #require(try await service.nearby(near).places.first)
                #expect(id == nil || place.id == id)
                let kept = Dictionary(place.attributes.map { ($0.key, $0.value) }) { first, _ in first }
                #expect(kept == attributes, "\(name): \(kept)")
                #expect(place.categories == (name == "way.gpx" ? ["cafe"] : []))
            }
        }
    }

    @Test("what is none of them is refused with what is wrong, and a bad place costs itself alone")
    func refused() async throws {
        try await TestService.run { service async throws in
            let deep = String(repeating: "<a>", count: 100)
            for (name, text, reason) in [
                ("a.gpx", "<kml></kml>", "it is no GPX: no element of it is called gpx"),
                ("a.kml", "<kml><Placemark>", "no valid row; line 1: the file ends too early; placemark 1"),
                ("a.kml", "{}", "it is no XML, line 1"),
                ("a.kml", " ", "it is no XML, line 1"), ("a.gpx", "<gpx>\(deep)", "it has more than 64 levels"),
                ("a.kml", "<!DOCTYPE a [<!ENTITY b \"c\">]><kml>&b;</kml>", "it declares a document type"),
                ("a.kml", "<kml><a b=\"\(String(repeating: "x", count: 3 << 20))", "a single tag"),
                ("a.geojson", #"{"type":"Topology","objects":{}}"#, "its type is neither"),
                ("a.geojson", "\(Self.feature)\n[1]", "its list of features contains a number"),
                ("a.geojson", "{}", "it has no feature"),
            ] {
                let error = try await service.refusal { _ in try await service.load(text, name: name) }
                #expect(error.code == .invalidArgument && error.message.contains(reason), "\(name): \(error.message)")
            }
            let gpx =
                #"<gpx><wpt lat="91" lon="2"><name>A</name></wpt><wpt lon="2"><name>B</name></wpt><wpt lat="1" lon="2"/>"#
                + #"<wpt lat="1" lon="2"><name>C</name></wpt></gpx>"#
            let story = try await service.load(gpx, name: "a.gpx")
            #expect(story.badRows.map(\.line) == [1, 2, 3] && story.summary?.dataset?.placeCount == 1)
        }
    }
}
