import FeatureFiles
import Geo
import PinFiles
import Testing

@Suite("P52 files as their programs really write them")
struct TolerantReaderTests {
    private static func at(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try Coordinate(latitude: latitude, longitude: longitude)
    }

    @Test("a placemark is what it has: a pin for each point, a track of its lines, an area of its rings")
    func geometry() throws {
        func mark(_ inner: String) -> String { "<Placemark><MultiGeometry>\(inner)</MultiGeometry></Placemark>" }
        let point = "<Point><coordinates>2,1</coordinates></Point>"
        let other = "<Point><coordinates>3,4</coordinates></Point>"
        let line = "<LineString><coordinates>2,1 3,2</coordinates></LineString>"
        let area =
            "<Polygon><outerBoundaryIs><LinearRing><coordinates>2,1 3,1 3,2 2,1</coordinates></LinearRing></outerBoundaryIs></Polygon>"
        let read = try PinText(
            "<kml>\(mark(point + line))\(mark(area + point))\(mark(line + area))\(mark(point + other))</kml>")
        #expect(
            read.pins.map(\.position) == [try Self.at(1, 2), try Self.at(1, 2), try Self.at(1, 2), try Self.at(4, 3)])
        #expect(read.tracks.map(\.kind) == [.line, .area, .line, .area] && read.bad.isEmpty)
        let json = try PinText(
            #"{"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[{"coordinates":[[2,1],[3,2]],"type":"LineString"},{"coordinates":[5,4],"type":"Point"}]}}"#
        )
        #expect(json.pins.map(\.position) == [try Self.at(4, 5)])
    }

    @Test("GeoJSON in metres of web maps becomes degrees, and in anything else is refused")
    func metres() throws {
        func file(_ name: String) -> String {
            #"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"\#(name)"}},"features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[2776500.5,8437200.1]}}]}"#
        }
        let read = try PinText(file("urn:ogc:def:crs:EPSG::3857"))
        let position = try #require(read.pins.first?.position)
        #expect(abs(position.latitude - 60.1678) < 1e-3 && abs(position.longitude - 24.9417) < 1e-3)
        #expect(
            try PinText.refusal(Array(file("EPSG:3067").utf8))
                == "its coordinates are in \"EPSG:3067\"; degrees are needed")
        #expect(try PinText(file("urn:ogc:def:crs:OGC:1.3:CRS84")).bad.count == 1)
    }

    @Test("GeoJSON: features in an array, numbers as strings, beyond the antimeridian, names by other words")
    func json() throws {
        func feature(_ coordinates: String, _ properties: String) -> String {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":\#(coordinates)},"properties":\#(properties)}"#
        }
        let read = try PinText(
            "["
                + [
                    feature(#"["24.78","60.31"]"#, #"{"NAME":"A"}"#), feature("[181.5,-17.5]", #"{"label":"B"}"#),
                    feature("[-190,1]", #"{"name:en":"C"}"#), feature("[1,2]", #"{"name":12}"#),
                ].joined(separator: ",") + "]")
        #expect(read.pins.map(\.name) == ["A", "B", "C", "12"] && read.bad.isEmpty)
        #expect(
            read.pins.prefix(3).map(\.position) == [
                try Self.at(60.31, 24.78), try Self.at(-17.5, -178.5), try Self.at(1, 170),
            ])
    }

    @Test("a feature in each line: a broken line costs its feature, one at the end of a collection what follows")
    func brokenLines() throws {
        func line(_ name: String) -> String {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":"\#(name)"}}"#
        }
        let read = try PinText(
            "\(line("A"))\n{\"type\":\"Feature\",\"geometry\":{]}\n\n\(line("B"))\n{\"ty\n\(line("C"))")
        #expect(read.pins.map(\.name) == ["A", "B", "C"] && read.bad.count == 2)
        #expect(read.reasons.allSatisfy { $0.hasPrefix("feature ") && $0.hasSuffix("; its line is left out") })
        let cut = try PinText("{\"type\":\"FeatureCollection\",\"features\":[\(line("A")),\(line("B")),{\"type\":")
        #expect(cut.pins.map(\.name) == ["A", "B"] && cut.firstReason.hasPrefix("feature 3 can't be read"))
    }

    @Test("favourites of OsmAnd are in their groups, those of Organic Maps in the file's list; others' types are none")
    func lists() throws {
        func gpx(_ creator: String) -> String {
            """
            <gpx creator="\(creator)"><metadata><name>Hikes</name></metadata>
            <wpt lat="1" lon="2"><name>A</name><type>Huts</type><extensions><osmand:color>#eecc22</osmand:color></extensions></wpt>
            <wpt lat="1" lon="2"><name>B</name></wpt></gpx>
            """
        }
        let osmAnd = try PinText(gpx("OsmAnd~ 4.8.3"))
        #expect(osmAnd.pins.map(\.lists) == [[FeatureList(name: "Huts", colour: "#eecc22")], []])
        let organic = try PinText(gpx("Organic Maps: 2025.01"))
        #expect(organic.pins.map { $0.lists.map(\.name) } == [["Hikes"], ["Hikes"]])
        #expect(try PinText(gpx("Garmin")).pins.flatMap(\.lists).isEmpty)
        let document = try PinText(
            "<kml><Document><name>Turku</name><Placemark><Point><coordinates>2,1</coordinates></Point></Placemark></Document></kml>"
        )
        #expect(document.pins.map { $0.lists.map(\.name) } == [["Turku"]])
    }

    @Test("a link in a description keeps its address, and a waypoint's link is in its note")
    func links() throws {
        let kml = try PinText(
            """
            <kml><Placemark><description><![CDATA[See <a class="x" href='https://example.org/a?b=1&amp;c=2'>this
            post</a>, <a href="https://example.org/p">https://example.org/p</a>, <a href="javascript:x()">run</a>]]>
            </description><Point><coordinates>2,1</coordinates></Point></Placemark></kml>
            """)
        #expect(
            kml.pins.map(\.note) == ["See this post (https://example.org/a?b=1&c=2), https://example.org/p, run"])
        let gpx = try PinText(
            "<gpx><wpt lat=\"1\" lon=\"2\"><desc>D</desc><link href=\"https://example.org/w\"><text>t</text></link></wpt></gpx>"
        )
        #expect(gpx.pins.map(\.note) == ["D\nhttps://example.org/w"])
    }

    @Test("no day is another one: the 30th of February and the month 0 are none")
    func days() throws {
        let times = ["2026-02-30T00:00:00Z", "2026-00-00T00:00:00Z", "2026-13-01", "2024-02-29", "2023-02-29"]
        let read = try PinText(
            "<gpx>" + times.map { "<wpt lat=\"1\" lon=\"2\"><time>\($0)</time></wpt>" }.joined() + "</gpx>")
        #expect(read.pins.map { $0.createdMilliseconds != nil } == [false, false, false, true, false])
    }

    @Test("an archive: what macOS adds is passed over, a broken file costs its own pins, others say nothing of places")
    func archives() throws {
        let kml = "<kml><Placemark><name>A</name><Point><coordinates>2,1</coordinates></Point></Placemark></kml>"
        let read = try PinText(
            bytes: ZipMaker.archive([
                ("__MACOSX/._doc.kml", [0, 5, 22, 7]), ("x/._doc.kml", [0, 5, 22, 7]), ("x/doc.kml", Array(kml.utf8)),
                ("Fit/run.gpx", Array("<gpx><trk>".utf8)), ("Home.json", Array(#"{"features":["light"]}"#.utf8)),
                ("some.kmz", [0x50, 0x4b, 3, 4]), ("y.kml", Array(kml.utf8)),
            ]))
        #expect(read.pins.map(\.name) == ["A", "A"])
        #expect(read.bad.map(\.fileName) == ["Fit/run.gpx", "some.kmz"])
    }
}

@Suite("P52 tables as programs write them")
struct TolerantTableTests {
    private static let expected = try? Coordinate(latitude: 60.17, longitude: -24.94)

    @Test(
        "a position by commas, letters, signs, blanks and words",
        arguments: [
            "name;lat;lon\nA;60,17;-24,94", "sep=;\r\nname;lat;lon\r\nA;60.17;-24.94\r\n",
            "name,lat,lon\rA,60.17,-24.94\r",
            "Name,Latitude (°),Longitude (°)\nA,60.17,-24.94", "name,lat,lon\nA,60.17N,24.94W",
            "name;lat;lon\nA;60,17° N;24,94° W", "name,lat,lon\nA,\"60°10'12\"\"N\",\"24°56'24\"\"W\"",
            "name;lat;lon\nA; 60.17\u{a0};\u{2212}24.94", "name,position\nA,\"60.17, -24.94\"",
            "name,wkt\nA,POINT (-24.94 60.17)", "name,geom\nA,SRID=4326;POINT Z(-24.94 60.17 5)",
            "Name|Breitengrad|Längengrad\nA|60.17|-24.94", "name,lat,lon,note\nA,60.17,-24.94\n",
            "name,lat,lon\nA,60.17,-24.94,more,and more\n",
        ])
    func positions(table: String) throws {
        let read = try PinText(table)
        #expect(read.pins.map(\.position) == [Self.expected].compactMap(\.self) && read.bad.isEmpty)
        #expect(read.pins.map(\.name) == ["A"])
    }

    @Test(
        "what may mean two places means none",
        arguments: [
            "name;lat;lon\nA;60.169.900;24.938.400", "name,lat,lon\nA,60E,24N", "name,lat,lon\nA,60 10,24 56",
            "name,lat,lon\nA,60,17,24,94", "name,wkt\nA,LINESTRING (1 2", "name,geom\nA,SRID=3857;POINT (1 2)",
            "name,lat,lon\nA,24.94O,60.17",
        ])
    func doubts(table: String) throws {
        let read = try PinText(table)
        #expect(read.pins.allSatisfy { $0.position != Self.expected } && read.pins.count + read.bad.count == 1)
        if table.contains("60,17,24,94") { return }
        #expect(read.bad.count == 1)
    }
}
