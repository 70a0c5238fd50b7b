import FeatureFiles
import Geo
import PinFiles
import Testing

/// Pins as other programs write them after they have read ours: each keeps what it has words for. Fixtures are made
/// after the shapes of these programs' files.
@Suite("P52 what other programs make of our files comes back")
struct ExchangeTests {
    private static func cafe(_ lists: [FeatureList]) throws -> PinRecord {
        var pin = PinRecord(position: try Coordinate(latitude: 60.1677, longitude: 24.9474))
        (pin.name, pin.note) = ("Café & Co", "Warm buns\nhttps://example.org/menu?a=1&b=2")
        (pin.visitedDay, pin.createdMilliseconds, pin.lists) = ("2026-05-04", 1_720_000_000_000, lists)
        return pin
    }

    @Test("OsmAnd's favourites: groups with their colours, the day of a visit, links")
    func osmAnd() throws {
        let read = try PinText(
            """
            <?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
            <gpx version="1.1" creator="OsmAnd+ 4.8.6" xmlns="http://www.topografix.com/GPX/1/1"
             xmlns:osmand="https://osmand.net/docs/technical/osmand-file-formats/osmand-gpx">
              <metadata><name>favorites</name><time>2026-06-01T08:00:00Z</time></metadata>
              <wpt lat="60.1677000" lon="24.9474000"><time>2024-07-03T09:46:40Z</time><name>Café &amp; Co</name>
                <desc>Warm buns\nhttps://example.org/menu?a=1&amp;b=2</desc>
                <link href="https://example.org/menu?a=1&amp;b=2" /><type>Coffee</type>
                <extensions><osmand:address>Esplanadi 1</osmand:address><osmand:icon>special_star</osmand:icon>
                  <osmand:background>circle</osmand:background><osmand:color>#43a047</osmand:color>
                  <osmand:visited_date>2026-05-04T00:00:00Z</osmand:visited_date></extensions></wpt>
              <extensions><osmand:points_groups>
                <group name="Coffee" color="#43a047" icon="special_star" background="circle" />
              </osmand:points_groups></extensions>
            </gpx>
            """)
        #expect(read.pins == [try Self.cafe([FeatureList(name: "Coffee", colour: "#43a047")])] && read.bad.isEmpty)
    }

    @Test("Organic Maps: a file for a list, whose marks have styles that are known by their names")
    func organicMaps() throws {
        let read = try PinText(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://earth.google.com/kml/2.2"><Document>
              <Style id="placemark-green"><IconStyle><Icon><href>https://omaps.app/placemarks/placemark-green.png</href>
                </Icon></IconStyle></Style>
              <name>Coffee</name><visibility>1</visibility>
              <ExtendedData xmlns:mwm="https://omaps.app"><mwm:lastModified>2026-06-01T08:00:00Z</mwm:lastModified>
              </ExtendedData>
              <Placemark><name>Café &amp; Co</name>
                <description><![CDATA[Warm buns<br>https://example.org/menu?a=1&b=2]]></description>
                <TimeStamp><when>2024-07-03T09:46:40Z</when></TimeStamp><styleUrl>#placemark-green</styleUrl>
                <Point><coordinates>24.9474,60.1677</coordinates></Point>
                <ExtendedData xmlns:mwm="https://omaps.app"><mwm:scale>16</mwm:scale>
                  <mwm:icon>Food</mwm:icon></ExtendedData></Placemark>
            </Document></kml>
            """)
        var cafe = try Self.cafe([FeatureList(name: "Coffee", colour: "green")])
        cafe.visitedDay = ""
        #expect(read.pins == [cafe] && read.bad.isEmpty)
    }

    @Test("Google My Maps: one layer of all, but each column of ours is kept, and the style has a colour")
    func myMaps() throws {
        let read = try PinText(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Imported</name><description/>
              <Style id="icon-ci-1-normal"><IconStyle><color>ff47a043</color><scale>1</scale>
                <Icon><href>images/icon-1.png</href></Icon></IconStyle></Style>
              <Style id="icon-ci-1-highlight"><IconStyle><color>ff0000ff</color></IconStyle></Style>
              <StyleMap id="icon-ci-1"><Pair><key>normal</key><styleUrl>#icon-ci-1-normal</styleUrl></Pair>
                <Pair><key>highlight</key><styleUrl>#icon-ci-1-highlight</styleUrl></Pair></StyleMap>
              <Folder><name>pins.kml</name><Placemark><name>Café &amp; Co</name>
                <description><![CDATA[note: Warm buns<br>visited_date: 2026-05-04]]></description>
                <styleUrl>#icon-ci-1</styleUrl>
                <ExtendedData><Data name="note"><value>Warm buns\nhttps://example.org/menu?a=1&amp;b=2</value></Data>
                  <Data name="visited_date"><value>2026-05-04</value></Data>
                  <Data name="create_time"><value>2024-07-03T09:46:40Z</value></Data>
                  <Data name="lists"><value>Coffee\nWith Ann</value></Data></ExtendedData>
                <Point><coordinates>24.9474,60.1677,0</coordinates></Point></Placemark></Folder>
            </Document></kml>
            """)
        let colour = "#43a047"
        let lists = ["Coffee", "With Ann"].map { FeatureList(name: $0, colour: colour) }
        #expect(read.pins == [try Self.cafe(lists)] && read.bad.isEmpty)
    }

    @Test("Garmin's programs: categories, and a symbol of a colour")
    func garmin() throws {
        let read = try PinText(
            """
            <?xml version="1.0" encoding="utf-8"?><gpx creator="Garmin Desktop App" version="1.1"
             xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxx="http://www.garmin.com/xmlschemas/GpxExtensions/v3">
              <wpt lat="60.1677" lon="24.9474"><time>2024-07-03T09:46:40Z</time><name>Café &amp; Co</name>
                <desc>Warm buns</desc><link href="https://example.org/menu?a=1&amp;b=2"/><sym>Flag, Green</sym>
                <type>user</type><extensions><gpxx:WaypointExtension><gpxx:DisplayMode>SymbolAndName</gpxx:DisplayMode>
                <gpxx:Categories><gpxx:Category>Coffee</gpxx:Category><gpxx:Category>With Ann</gpxx:Category>
                </gpxx:Categories></gpxx:WaypointExtension></extensions></wpt>
            </gpx>
            """)
        var cafe = try Self.cafe(["Coffee", "With Ann"].map { FeatureList(name: $0, colour: "Green") })
        cafe.visitedDay = ""
        #expect(read.pins == [cafe] && read.bad.isEmpty)
    }

    @Test("a folder holds the pins of a list, and each list's colour is said in the words of each program")
    func written() throws {
        var (other, free) = (try Self.cafe([FeatureList(name: "Parks", colour: "grey")]), try Self.cafe([]))
        (other.name, free.name) = ("Park", "Free")
        let pins = [free, try Self.cafe([FeatureList(name: "Coffee", colour: "green")]), other]
        func text(_ format: PinFormat) -> String {
            var writer = PinFileWriter(format)
            return String(decoding: writer.begin() + writer.add(pins) + writer.end(), as: UTF8.self)
        }
        let (kml, gpx, geoJSON) = (text(.kml), text(.gpx), text(.geoJSON))
        for part in [
            "<Folder><name>Coffee</name>", "<Folder><name>Parks</name>", "<styleUrl>#placemark-gray</styleUrl>",
            "<Style id=\"placemark-green\"><IconStyle><color>ff47a043</color>",
        ] { #expect(kml.contains(part), "\(part)") }
        #expect(kml.ranges(of: "</Folder>").count == 2)
        for part in [
            "<type>Coffee</type>", "<osmand:color>#43a047</osmand:color>", "<sym>Navaid, Green</sym>",
            "<osmand:visited_date>2026-05-04T00:00:00Z</osmand:visited_date>", "<gpxx:Category>Parks</gpxx:Category>",
            "<group name=\"Parks\" color=\"#757575\"", "<link href=\"https://example.org/menu?a=1&amp;b=2\"/>",
        ] { #expect(gpx.contains(part), "\(part)") }
        #expect(geoJSON.contains("\"marker-color\":\"#43a047\""))
        #expect(try PinText(kml).pins == pins && PinText(gpx).pins == pins && PinText(geoJSON).pins == pins)
    }

    @Test("tracks and routes are named, not only counted")
    func lines() throws {
        let read = try PinText(
            """
            <gpx><wpt lat="1" lon="2"><name>A</name></wpt><rte><name>Home</name><rtept lat="1" lon="2"><name>B</name>
            </rtept></rte><trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk><trk><name>Run</name></trk></gpx>
            """)
        #expect(read.lines == ["route \"Home\"", "track", "track \"Run\""])
        let area = try PinText(
            #"{"type":"Feature","properties":{"name":"Park"},"geometry":{"type":"Polygon","#
                + #""coordinates":[[[1,1],[2,1],[2,2],[1,1]]]}}"#)
        #expect(area.tracks.map(\.name) == ["Park"] && area.tracks.map(\.kind) == [.area])
    }
}
