import FeatureFiles
import Geo
import PinFiles
import Testing

@Suite("I4 Areas of files")
struct AreaFileTests {
    private func ring(_ numbers: [(Double, Double)], isHole: Bool = false) throws -> TrackRecord.Part {
        .init(try numbers.map { ShapePoint(try Coordinate(latitude: $0.0, longitude: $0.1)) }, isHole: isHole)
    }

    /// Two areas, of which the first has a hole.
    private func parts() throws -> [TrackRecord.Part] {
        [
            try ring([(0, 0), (0, 9), (9, 9), (0, 0)]),
            try ring([(1, 4), (1, 3), (2, 4), (1, 4)], isHole: true),
            try ring([(20, 0), (20, 9), (29, 9), (20, 0)]),
        ]
    }

    @Test("of GeoJSON and KML are areas with their holes, and several in one")
    func read() throws {
        let json = try PinText(
            """
            {"type":"Feature","properties":{"name":"A","fill":"#ff0000"},"geometry":{"coordinates":
            [[[[0,0],[9,0],[9,9],[0,0]],[],[[4,1],[3,1],[4,2],[4,1]]],[[[0,20],[9,20],[9,29],[0,20]]]],
            "type":"MultiPolygon"}}
            """)
        let kml = try PinText(
            """
            <kml><Placemark><name>A</name><MultiGeometry>
            <Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 9,0 9,9 0,0
            </coordinates></LinearRing></outerBoundaryIs><innerBoundaryIs><LinearRing><coordinates>4,1 3,1 4,2 4,1
            </coordinates></LinearRing></innerBoundaryIs></Polygon><Polygon><outerBoundaryIs><LinearRing><coordinates>
            0,20 9,20 9,29 0,20</coordinates></LinearRing></outerBoundaryIs></Polygon></MultiGeometry></Placemark></kml>
            """)
        for read in [json, kml] {
            #expect(read.tracks.map(\.name) == ["A"] && read.tracks.map(\.kind) == [.area] && read.bad.isEmpty)
            #expect(read.tracks.first?.parts == (try parts()))
        }
        #expect(json.tracks.first?.colour == "#ff0000")
    }

    private static let square =
        "<Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 9,0 9,9 0,0</coordinates></LinearRing>"
        + "</outerBoundaryIs>"
        + "</Polygon>"

    @Test(
        "have the colour of their surface, and that of their outline where nothing is said of it or it can't be seen",
        arguments: [
            ("<LineStyle><color>ff0000ff</color></LineStyle><PolyStyle><color>4000ff00</color></PolyStyle>", "#00ff00"),
            ("<PolyStyle><color>4000ff00</color></PolyStyle><LineStyle><color>ff0000ff</color></LineStyle>", "#00ff00"),
            ("<LineStyle><color>ff0000ff</color></LineStyle>", "#ff0000"),
            ("<LineStyle><color>ff0000ff</color></LineStyle><PolyStyle><color>0000ff00</color></PolyStyle>", "#ff0000"),
            (
                "<LineStyle><color>ff0000ff</color></LineStyle>"
                    + "<PolyStyle><color>ff00ff00</color><fill>0</fill></PolyStyle>",
                "#ff0000"
            ), ("<IconStyle><color>ffff0000</color></IconStyle>", ""),
        ])
    func colour(style: String, colour: String) throws {
        let map = "<StyleMap id=\"m\"><Pair><key>normal</key><styleUrl>#s</styleUrl></Pair></StyleMap>"
        let named = "<Style id=\"s\">\(style)</Style>\(map)"
        for (before, inside) in [
            ("", "<Style>\(style)</Style>"), (named, "<styleUrl>#s</styleUrl>"), (named, "<styleUrl>#m</styleUrl>"),
        ] {
            let text =
                "<kml><Document>\(before)<Placemark><name>A</name>\(inside)\(Self.square)</Placemark></Document></kml>"
            #expect(try PinText(text).tracks.map(\.colour) == [colour])
        }
        let json = ##"{"type":"Feature","properties":{"name":"A","stroke":"#111111","fill":"#00ff00"},"geometry":"##
        let ring = #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]]]}}"#
        #expect(try PinText(json + ring).tracks.map(\.colour) == ["#00ff00"])
    }

    @Test("that a shared style leaves hollow are filled where their own says so")
    func filled() throws {
        let hollow = "<Style id=\"s\"><PolyStyle><color>ff00ff00</color><fill>0</fill></PolyStyle></Style>"
        let own = "<styleUrl>#s</styleUrl><Style><PolyStyle><fill>1</fill></PolyStyle></Style>"
        let text = "<kml><Document>\(hollow)<Placemark><name>A</name>\(own)\(Self.square)</Placemark></Document></kml>"
        #expect(try PinText(text).tracks.map(\.colour) == ["#00ff00"])
    }

    @Test("of a collection come in beside its points and lines, each as what it is")
    func collection() throws {
        let read = try PinText(
            """
            {"type":"Feature","properties":{"name":"C"},"geometry":{"type":"GeometryCollection","geometries":[
            {"type":"MultiPoint","coordinates":[[1,1],[2,2]]},{"type":"LineString","coordinates":[[1,1],[2,2]]},
            {"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]]]},
            {"type":"GeometryCollection","geometries":[{"type":"Polygon","coordinates":[[[0,20],[9,20],[9,29],[0,20]]]}]}]}}
            """)
        #expect(read.pins.map(\.name) == ["C", "C"] && read.bad.isEmpty)
        #expect(read.tracks.map(\.kind) == [.line, .area] && read.tracks.map(\.parts.count) == [1, 2])
    }

    @Test(
        "with rings as programs write them are read all the same: open, clockwise, with points twice, crossing itself")
    func tolerant() throws {
        func area(_ rings: String) throws -> TrackRecord? {
            let text = #"{"type":"Feature","properties":{"name":"A"},"geometry":{"type":"Polygon","coordinates":"#
            return try PinText("\(text)\(rings)}}").tracks.first
        }
        let square = [(0.0, 0.0), (0, 9), (9, 9), (9, 0), (0, 0)]
        #expect(try area("[[[0,0],[9,0],[9,9],[0,9]]]")?.parts == [try ring(square)])
        #expect(try area("[[[0,0],[0,9],[9,9],[9,0],[0,0]]]")?.parts == [try ring(square)])
        #expect(try area("[[[0,0],[9,0],[9,0],[9,9],[0,9],[0,0],[0,0]]]")?.parts == [try ring(square)])
        #expect(try area("[[[0,0],[9,9],[9,0],[0,9],[0,0]]]")?.parts.map(\.points.count) == [5])
        #expect(try area("[[[0,0],[9,0],[0,0]]]") == nil)
        // A hole of two points is none, and one in nothing would be all there is.
        #expect(try area("[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[1,1],[2,2]]]")?.parts.count == 1)
        #expect(try area("[[[0,0],[9,0]],[[1,1],[2,1],[2,2],[1,1]]]") == nil)
        // Across the antimeridian, in the order that it should have.
        let far = try ring([(0, 179), (0, -179), (9, -179), (0, 179)])
        #expect(try area("[[[179,0],[-179,0],[-179,9],[179,0]]]")?.parts == [far])
    }

    @Test("are the same after they were written and read again", arguments: PinFormat.allCases)
    func written(format: PinFormat) throws {
        var (one, two) = (TrackRecord(parts: try parts()), TrackRecord(parts: [try parts()[2]]))
        (one.kind, two.kind) = (.area, .area)
        (one.name, one.colour) = ("Park & <garden>", "green")
        one.parts[0].points[0].heightCentimetres = 100
        one.parts[0].points[3].heightCentimetres = 100
        var writer = PinFileWriter(format)
        let bytes = writer.begin() + writer.add([one, two]) + writer.end()
        let read = try PinText(bytes: bytes)
        #expect(read.tracks.map(\.kind) == [.area, .area] && read.tracks.map(\.name) == [one.name, ""])
        #expect(read.tracks.map(\.parts) == [one.parts, two.parts] && read.bad.isEmpty && read.lines.isEmpty)
    }
}
