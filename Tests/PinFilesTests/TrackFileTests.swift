import FeatureFiles
import Geo
import PinFiles
import Testing

@Suite("I4 Tracks and lines of files")
struct TrackFileTests {
    private func points(_ numbers: [(Double, Double)]) throws -> [Coordinate] {
        try numbers.map { try Coordinate(latitude: $0.0, longitude: $0.1) }
    }

    @Test("of GPX are tracks with their pieces, and routes, with name and colour")
    func gpx() throws {
        let read = try PinText(
            """
            <gpx xmlns:osmand="https://osmand.net"><wpt lat="1" lon="2"><name>P</name></wpt>
            <rte><name>Way</name><rtept lat="60" lon="24"><name>A</name></rtept><rtept lat="60.5" lon="24"/></rte>
            <trk><name>Walk</name><extensions><osmand:color>#1e88e5</osmand:color></extensions>
            <trkseg><trkpt lat="60.1" lon="24.9"><ele>1</ele></trkpt><trkpt lat="60.2" lon="24.9"/></trkseg>
            <trkseg><trkpt lat="61" lon="25"/></trkseg><trkseg/>
            <trkseg><trkpt lat="61" lon="25"/><trkpt lat="61" lon="26"/><trkpt lat="62" lon="26"/></trkseg></trk>
            <trk><name>Broken</name><trkseg><trkpt lat="91" lon="1"/><trkpt lat="1" lon="1"/></trkseg></trk></gpx>
            """)
        #expect(read.pins.map(\.name) == ["P"] && read.tracks.map(\.name) == ["Way", "Walk"])
        #expect(read.tracks.map(\.colour) == ["", "#1e88e5"])
        #expect(read.tracks[0].positions == [try points([(60, 24), (60.5, 24)])])
        let walk = [try points([(60.1, 24.9), (60.2, 24.9)]), try points([(61, 25), (61, 26), (62, 26)])]
        #expect(read.tracks[1].positions == walk)
        #expect(read.reasons.count == 1 && read.firstReason.contains("latitude"))
    }

    @Test("of KML are lines, tracks with times, and lines beside a point, in the folder's list")
    func kml() throws {
        let read = try PinText(
            """
            <kml xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>
            <Style id="s"><LineStyle><color>ffe5881e</color></LineStyle></Style><Folder><name>Trips</name>
            <Placemark><name>Line</name><styleUrl>#s</styleUrl>
            <LineString><coordinates>24,60,5 25,60,5</coordinates></LineString></Placemark>
            <Placemark><name>Both</name><MultiGeometry><Point><coordinates>24,60</coordinates></Point>
            <LineString><coordinates>24,60 24,61</coordinates></LineString></MultiGeometry></Placemark>
            <Placemark><name>Timed</name><gx:Track><when>2024-01-01T00:00:00Z</when><gx:coord>24 60 0</gx:coord>
            <gx:coord>24.5 60.5 0</gx:coord></gx:Track></Placemark>
            <Placemark><name>Area</name><Polygon><outerBoundaryIs><LinearRing><coordinates>1,1 2,1 2,2 1,1</coordinates>
            </LinearRing></outerBoundaryIs></Polygon></Placemark></Folder></Document></kml>
            """)
        #expect(read.pins.map(\.name) == ["Both"] && read.tracks.map(\.name) == ["Line", "Both", "Timed", "Area"])
        #expect(read.tracks.allSatisfy { $0.lists.map(\.name) == ["Trips"] && $0.parts.count == 1 })
        #expect(read.tracks[2].positions[0] == (try points([(60, 24), (60.5, 24.5)])))
        #expect(read.tracks[0].lists.first?.colour == "#1e88e5")
        #expect(read.tracks[3].kind == .area && read.lines.isEmpty && read.bad.isEmpty)
    }

    @Test("of GeoJSON are lines, in their pieces, also in a collection")
    func geoJSON() throws {
        let read = try PinText(
            """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{"name":"L","stroke":"#ff0000"},
             "geometry":{"type":"LineString","coordinates":[[24,60],[25,60]]}},
            {"type":"Feature","properties":{"name":"M"},"geometry":{"coordinates":[[[1,1],[2,2]],[[3,3],[4,4],[5,5]]],
             "type":"MultiLineString"}},
            {"type":"Feature","properties":{"name":"C"},"geometry":{"type":"GeometryCollection","geometries":[
             {"type":"LineString","coordinates":[[1,1],[2,2]]},{"type":"LineString","coordinates":[[3,3],[4,4]]}]}},
            {"type":"Feature","properties":{"name":"One"},"geometry":{"type":"LineString","coordinates":[[1,1]]}}]}
            """)
        #expect(read.tracks.map(\.name) == ["L", "M", "C"] && read.tracks.map(\.colour) == ["#ff0000", "", ""])
        #expect(read.tracks.map { $0.parts.map(\.points.count) } == [[2], [2, 3], [2, 2]])
        #expect(read.lines == ["line \"One\""])
    }

    @Test("are the same after they were written and read again", arguments: PinFormat.allCases)
    func written(format: PinFormat) throws {
        var one = TrackRecord([try points([(60.1234567, 24.7654321), (-1, -179.9999999)])])
        (one.name, one.lists, one.colour) = ("A & <b>", [FeatureList(name: "Trips", colour: "teal")], "red")
        var two = TrackRecord([try points([(0, 0), (1, 1)]), try points([(2, 2), (3, 3), (4, 4)])])
        two.name = "Two"
        var pin = PinRecord(position: try Coordinate(latitude: 1, longitude: 2))
        pin.name = "P"
        var writer = PinFileWriter(format)
        let bytes = writer.begin() + writer.add([pin]) + writer.add([one, two]) + writer.end()
        let read = try PinText(bytes: bytes)
        #expect(read.pins.map(\.name) == ["P"] && read.bad.isEmpty && read.lines.isEmpty)
        #expect(read.tracks.map(\.name) == [one.name, two.name])
        #expect(read.tracks.map(\.parts) == [one.parts, two.parts])
        #expect(read.tracks.map { $0.lists.map(\.name) } == [["Trips"], []])
    }
}

extension TrackRecord {
    init(_ lines: [[Coordinate]]) { self.init(parts: lines.map { Part($0.map { ShapePoint($0) }) }) }

    var positions: [[Coordinate]] { parts.map(\.positions) }
}
