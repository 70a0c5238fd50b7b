import FeatureFiles
import Geo
import PinFiles
import Testing

@Suite("I1 I4 I6 Files as people reported them to other programs")
struct PublicReportTests {
    /// What a file is like, and what it gives: positions of pins, and how many points the pieces of its tracks have.
    struct Report: CustomTestStringConvertible {
        let testDescription: String
        let text: String
        var pins: [(Double, Double)] = []
        var tracks: [[Int]] = []
        var bad = 0
        var unplaced = 0
    }

    private static func report(
        _ what: String, _ text: String, pins: [(Double, Double)] = [], tracks: [[Int]] = [], bad: Int = 0,
        unplaced: Int = 0
    ) -> Report {
        Report(testDescription: what, text: text, pins: pins, tracks: tracks, bad: bad, unplaced: unplaced)
    }

    private static func gpx(_ inner: String) -> String { "<gpx version=\"1.1\">\(inner)</gpx>" }
    private static func kml(_ inner: String) -> String { "<kml><Placemark><name>P</name>\(inner)</Placemark></kml>" }
    private static func shape(_ type: String, _ coordinates: String) -> String {
        "{\"type\":\"\(type)\",\"coordinates\":\(coordinates)}"
    }
    private static func feature(_ geometry: String) -> String {
        "{\"type\":\"Feature\",\"properties\":{\"name\":\"P\"},\"geometry\":\(geometry)}"
    }
    private static let points = "<trkpt lat=\"1\" lon=\"2\"/><trkpt lat=\"1\" lon=\"3\"/>"
    private static let here = [(60.17, 24.94)]

    static let gpxReports = [
        report(
            "a first point of a bicycle computer without a position",
            gpx("<trk><trkseg><trkpt><ele>31</ele></trkpt>\(points)</trkseg></trk>"), tracks: [[2]], bad: 1),
        report(
            "points where the signal was lost",
            gpx("<trk><trkseg>\(points)<trkpt lat=\"NaN\" lon=\"NaN\"/>\(points)</trkseg></trk>"), tracks: [[4]],
            bad: 1),
        report(
            "a track of which most is lost", gpx("<trk><trkseg><trkpt/><trkpt/>\(points)</trkseg></trk>"), bad: 1),
        report("points without a segment", gpx("<trk><name>T</name>\(points)</trk>"), tracks: [[2]]),
        report("an empty segment first", gpx("<trk><trkseg/><trkseg>\(points)</trkseg></trk>"), tracks: [[2]]),
        report("commas for points", gpx("<wpt lat=\"60,17\" lon=\"24,94\"><name>P</name></wpt>"), pins: here),
        report("exponents", gpx("<wpt lat=\"6.017E+1\" lon=\"2494e-2\"/>"), pins: here),
        report("blanks around numbers", gpx("<wpt lat=\" 60.17 \" lon=\" 24.94\"/>"), pins: here),
        report(
            "two documents glued together",
            gpx("<trk><trkseg>\(points)</trkseg></trk>")
                + gpx("<rte><rtept lat=\"1\" lon=\"2\"/><rtept lat=\"2\" lon=\"2\"/></rte>"),
            tracks: [[2], [2]], bad: 1),
        report(
            "a tag that does not fit, in a track before another",
            gpx("<trk><trkseg>\(points)<ele></trkseg></trk><trk><trkseg>\(points)\(points)</trkseg></trk>"),
            tracks: [[2], [4]], bad: 1),
        report(
            "a recording that was cut off", "<gpx><trk><trkseg>\(points)<trkpt lat=\"1\" lon=\"4\"><ele>5",
            tracks: [[3]],
            bad: 1),
        report(
            "positions of a route in its extensions",
            gpx(
                "<rte><rtept lat=\"1\" lon=\"2\"><extensions><rpt lat=\"9\" lon=\"9\"/></extensions></rtept>"
                    + "<rtept lat=\"1\" lon=\"3\"/></rte>"), tracks: [[2]]),
    ]

    static let kmlReports = [
        report(
            "blanks before the numbers", kml("<Point><coordinates>\n\t 24.94,60.17,0 \n</coordinates></Point>"),
            pins: here),
        report(
            "signs and zeros", kml("<Point><coordinates>+024.9400,+060.1700,-278</coordinates></Point>"), pins: here),
        report("blanks behind commas", kml("<Point><coordinates>24.94, 60.17, 0</coordinates></Point>"), pins: here),
        report(
            "blanks behind commas in a line",
            kml("<LineString><coordinates>24.94, 60.17 24.95, 60.18\n24.96, 60.19</coordinates></LineString>"),
            tracks: [[3]]),
        report(
            "a ring without an area", kml("<LinearRing><coordinates>1,1 2,1 2,2 1,1</coordinates></LinearRing>"),
            tracks: [[4]]),
        report(
            "positions before times",
            kml(
                "<gx:Track><gx:coord>1 2 3</gx:coord><gx:coord>2 2 3</gx:coord><when>2024-01-01T00:00:00Z</when>"
                    + "<when>2024-01-01T00:00:01Z</when></gx:Track>"), tracks: [[2]]),
        report(
            "a model on the ground",
            kml(
                "<Model><Location><longitude>24.94</longitude><latitude>60.17</latitude><altitude>5</altitude></Location>"
                    + "<Link><href>house.dae</href></Link></Model>"), pins: here),
        report(
            "several points",
            kml(
                "<MultiGeometry><Point><coordinates>24.94,60.17</coordinates></Point><Point>"
                    + "<coordinates>2,1</coordinates></Point></MultiGeometry>"), pins: here + [(1, 2)]),
        report("a view alone", kml("<LookAt><longitude>1</longitude><latitude>2</latitude></LookAt>"), unplaced: 1),
        report(
            "an area that is open, without heights",
            kml(
                "<Polygon><outerBoundaryIs><LinearRing><coordinates>1,1 2,1 2,2</coordinates></LinearRing>"
                    + "</outerBoundaryIs></Polygon>"), tracks: [[4]]),
        report(
            "one broken position of a line",
            kml("<LineString><coordinates>1,1 2,1 3,x 3,1</coordinates></LineString>"), tracks: [[3]], bad: 1),
    ]

    static let jsonReports = [
        report("a shape that stands alone", shape("Point", "[24.94,60.17]"), pins: here),
        report(
            "a collection that stands alone",
            "{\"geometries\":[\(shape("Point", "[24.94,60.17]")),\(shape("LineString", "[[1,1],[2,2]]"))],"
                + "\"type\":\"GeometryCollection\"}", pins: here, tracks: [[2]]),
        report(
            "shapes in lines", shape("Point", "[24.94,60.17]") + "\n" + shape("Point", "[2,1]"), pins: here + [(1, 2)]),
        report("small letters", "{\"type\":\"feature\",\"geometry\":\(shape("point", "[24.94,60.17]"))}", pins: here),
        report("several points", feature(shape("MultiPoint", "[[24.94,60.17],[2,1]]")), pins: here + [(1, 2)]),
        report("a height that is not known", feature(shape("Point", "[24.94,60.17,null]")), pins: here),
        report("no shape", feature("null"), unplaced: 1),
        report(
            "a member of the list that is no feature",
            "{\"type\":\"FeatureCollection\",\"features\":[" + feature(shape("Point", "[24.94,60.17]"))
                + ",{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:EPSG::4283\"}}]}",
            pins: here, bad: 1),
        report(
            "a box before the position",
            feature("{\"bbox\":[1,2,3,4],\"type\":\"Point\",\"coordinates\":[24.94,60.17]}"),
            pins: here),
        report(
            "an empty shape beside others",
            "{\"type\":\"FeatureCollection\",\"features\":["
                + feature(shape("LineString", "[]")) + "," + feature(shape("Point", "[24.94,60.17]")) + "]}",
            pins: here,
            unplaced: 1),
    ]

    static let tableReports = [
        report(
            "lines and areas in a column",
            """
            name,WKT
            A,"LINESTRING (1 1, 2 2, 3 3)"
            B,"POLYGON Z ((1 1 5, 2 1 5, 2 2 5, 1 1 5), (1.2 1.1 5, 1.5 1.1 5, 1.5 1.2 5))"
            C,"SRID=4326;MULTILINESTRING((1 1,2 2),(3 3,4 4))"
            D,"POINT (24.94 60.17)"
            E,"SRID=3857;LINESTRING(1 1,2 2)"
            F,"LINESTRING EMPTY"
            """, pins: here, tracks: [[3], [4, 4], [2, 2]], bad: 2),
        report(
            "a collection in a cell",
            "name,geometry\nA,\"GEOMETRYCOLLECTION(POINT(24.94 60.17),LINESTRING(1 1,2 2))\"\n",
            pins: here, tracks: [[2]]),
        report("a colon between the numbers", "name,coordinates\nA,60.17:24.94\n", pins: here),
        report("letters behind the numbers", "sep=,\nCoordinates\n60.17N 024.94E\n", pins: here),
        report("names of a museum's columns", "decimalLatitude,decimalLongitude,name\n60.17,24.94,A\n", pins: here),
        report("metres for degrees", "Name;X;Y\nA;558353.51;4117090.69\n", bad: 1),
    ]

    @Test(
        "give what is in them, and say what is lost", arguments: gpxReports + kmlReports + jsonReports + tableReports)
    func read(report: Report) throws {
        let read = try PinText(report.text)
        #expect(read.pins.map(\.position) == (try report.pins.map { try Coordinate(latitude: $0.0, longitude: $0.1) }))
        #expect(read.tracks.map { $0.parts.map(\.points.count) } == report.tracks)
        #expect(read.bad.count == report.bad && read.unplaced.count == report.unplaced, "\(read.reasons)")
    }
}
