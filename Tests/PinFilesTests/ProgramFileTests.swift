import FeatureFiles
import Geo
import PinFiles
import Testing

/// Files as other programs write them, shortened.
@Suite("P52 pins come in from the files of other programs")
struct ProgramFileTests {
    @Test("a map of Google My Maps: folders in folders, HTML in descriptions, lines and areas beside points")
    func myMaps() throws {
        let read = try PinText(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2">
              <Document>
                <name>Helsinki trip</name>
                <Style id="icon-1899-0288D1-normal"><IconStyle><color>ffd18802</color></IconStyle></Style>
                <Folder>
                  <name>Food</name>
                  <Placemark>
                    <name>Café Esplanad</name>
                    <description><![CDATA[<img src="https://example.org/x.jpg" height="200" /><br>Big &amp; warm<br>buns<script>alert(1)</script>]]></description>
                    <styleUrl>#icon-1899-0288D1</styleUrl>
                    <ExtendedData><Data name="gx_media_links"><value>https://example.org/x.jpg</value></Data></ExtendedData>
                    <Point>
                      <coordinates>
                        24.9474,60.1677,0
                      </coordinates>
                    </Point>
                  </Placemark>
                  <Folder><name>Deeper</name>
                    <Placemark><name>Old
                      market</name><Point><coordinates>24.9522,60.1668,0</coordinates></Point></Placemark>
                  </Folder>
                </Folder>
                <Folder>
                  <name>Directions</name>
                  <Placemark><name>Way</name><LineString><tessellate>1</tessellate>
                    <coordinates>24.9,60.1,0 24.91,60.11,0</coordinates></LineString></Placemark>
                  <Placemark><name>Park</name><Polygon><outerBoundaryIs><LinearRing>
                    <coordinates>24.9,60.1,0 24.91,60.11,0 24.92,60.1,0 24.9,60.1,0</coordinates>
                    </LinearRing></outerBoundaryIs></Polygon></Placemark>
                </Folder>
              </Document>
            </kml>
            """)
        #expect(
            read.pins.map(\.position) == [
                try Coordinate(latitude: 60.1677, longitude: 24.9474),
                try Coordinate(latitude: 60.1668, longitude: 24.9522),
            ])
        #expect(read.pins.first?.name == "Café Esplanad")
        #expect(read.pins.first?.note == "Big & warm\nbuns")
        #expect(read.pins.map { $0.lists.map(\.name) } == [["Food"], ["Deeper"]])
        #expect(read.tracks.map(\.name).sorted() == ["Park", "Way"] && read.lines.isEmpty && read.bad.isEmpty)
    }

    @Test("waypoints of a Garmin: namespaces, extensions; its route is a track, a track of one point is none")
    func garmin() throws {
        let read = try PinText(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="no" ?>
            <gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxx="http://www.garmin.com/xmlschemas/GpxExtensions/v3"
             xmlns:wptx1="http://www.garmin.com/xmlschemas/WaypointExtension/v1" creator="eTrex 30x" version="1.1">
              <metadata><link href="http://www.garmin.com"><text>Garmin International</text></link><time>2023-08-01T06:00:00Z</time></metadata>
              <wpt lat="60.169900" lon="24.938400"><ele>12.5</ele><time>2023-08-01T06:12:30Z</time><name>001</name>
                <cmt>Camp</cmt><desc>Camp</desc><sym>Flag, Blue</sym>
                <extensions><gpxx:WaypointExtension><gpxx:DisplayMode>SymbolAndName</gpxx:DisplayMode>
                <gpxx:Address><gpxx:City>Helsinki</gpxx:City></gpxx:Address></gpxx:WaypointExtension></extensions></wpt>
              <rte><name>R</name><rtept lat="60" lon="24"><name>A</name></rtept></rte>
              <trk><name>T</name><trkseg><trkpt lat="60.1" lon="24.9"><ele>1</ele></trkpt></trkseg></trk>
            </gpx>
            """)
        let pin = try #require(read.pins.first)
        #expect(read.pins.count == 1 && read.lines == ["route \"R\"", "track \"T\""] && read.bad.isEmpty)
        #expect(pin.name == "001" && pin.note == "Camp" && pin.createdMilliseconds == 1_690_870_350_000)
    }

    @Test("favourites of OsmAnd, with its own extensions")
    func osmAnd() throws {
        let read = try PinText(
            """
            <?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
            <gpx version="1.1" creator="OsmAnd 4.5.10" xmlns="http://www.topografix.com/GPX/1/1" xmlns:osmand="https://osmand.net" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">
              <metadata><name>favorites-Food</name></metadata>
              <wpt lat="60.1717" lon="24.9414"><time>2022-05-04T10:30:00Z</time><name>Ateneum</name><desc>Art &lt;b&gt;museum&lt;/b&gt;</desc><type>Food</type>
                <extensions><osmand:address>Kaivokatu 2</osmand:address><osmand:icon>special_star</osmand:icon>
                <osmand:color>#eecc22</osmand:color><osmand:background>circle</osmand:background></extensions></wpt>
            </gpx>
            """)
        #expect(read.pins.map(\.name) == ["Ateneum"])
        // GPX has plain text: what looks like HTML is what was written.
        #expect(read.pins.map(\.note) == ["Art <b>museum</b>"])
    }

    @Test("bookmarks of Organic Maps, with names in several languages")
    func organicMaps() throws {
        let read = try PinText(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://earth.google.com/kml/2.2">
            <Document>
              <Style id="placemark-red"><IconStyle><Icon><href>https://omaps.app/placemarks/placemark-red.png</href></Icon></IconStyle></Style>
              <name>My Places</name>
              <visibility>1</visibility>
              <ExtendedData xmlns:mwm="https://omaps.app">
                <mwm:name><mwm:lang code="default">My Places</mwm:lang></mwm:name>
                <mwm:lastModified>2023-01-02T03:04:05Z</mwm:lastModified>
              </ExtendedData>
              <Placemark>
                <name>Löyly</name>
                <description>Sauna by the sea</description>
                <TimeStamp><when>2023-01-02T03:04:05Z</when></TimeStamp>
                <styleUrl>#placemark-red</styleUrl>
                <Point><coordinates>24.9297,60.1523</coordinates></Point>
                <ExtendedData xmlns:mwm="https://omaps.app">
                  <mwm:name><mwm:lang code="default">Löyly</mwm:lang><mwm:lang code="en">Loyly</mwm:lang></mwm:name>
                  <mwm:featureTypes><mwm:value>leisure-sauna</mwm:value></mwm:featureTypes>
                  <mwm:scale>16</mwm:scale><mwm:visibility>1</mwm:visibility>
                </ExtendedData>
              </Placemark>
              <Placemark xmlns:gx="http://www.google.com/kml/ext/2.2"><name>Track</name><gx:Track><when>2023-01-02T03:04:05Z</when><gx:coord>24 60 1</gx:coord></gx:Track></Placemark>
            </Document>
            </kml>
            """)
        let pin = try #require(read.pins.first)
        #expect(pin.name == "Löyly" && pin.note == "Sauna by the sea" && pin.createdMilliseconds == 1_672_628_645_000)
        #expect(read.pins.count == 1 && read.lineCount == 1)
    }

    @Test("saved places of Google Takeout: new, as before 2023, without a position, and labelled ones")
    func takeout() throws {
        let read = try PinText(
            """
            {"type":"FeatureCollection","features":[
            {"geometry":{"coordinates":[24.9414,60.1717],"type":"Point"},"properties":{"date":"2023-05-01T10:00:00Z",
              "google_maps_url":"http://maps.google.com/?cid=123","location":{"address":"Kaivokatu 2, Helsinki","country_code":"FI","name":"Ateneum"}},"type":"Feature"},
            {"type":"Feature","geometry":{"type":"Point","coordinates":[24.9522,60.1668]},"properties":{"Google Maps URL":"http://maps.google.com/?cid=7",
              "Location":{"Address":"Eteläranta","Business Name":"Vanha kauppahalli","Country Code":"FI","Geo Coordinates":{"Latitude":"60.1668","Longitude":"24.9522"}},
              "Published":"2019-05-01T10:00:00Z","Title":"Old Market Hall","Updated":"2019-05-01T10:00:00Z"}},
            {"geometry":{"coordinates":[0,0],"type":"Point"},"properties":{"Comment":"No location information is available for this saved place",
              "date":"2023-05-01T10:00:00Z","google_maps_url":"http://maps.google.com/?q=60.1699,24.9384"},"type":"Feature"},
            {"geometry":{"coordinates":[0,0],"type":"Point"},"properties":{"date":"2023-05-01T10:00:00Z","google_maps_url":"http://maps.google.com/?cid=9"},"type":"Feature"},
            {"type":"Feature","geometry":{"type":"Point","coordinates":[24.93,60.17]},"properties":{"address":"Kotikatu 1","name":"Home"}}
            ]}
            """)
        #expect(read.pins.map(\.name) == ["Ateneum", "Old Market Hall", "", "Home"])
        #expect(read.pins.map(\.note) == ["", "", "", ""])
        #expect(read.pins[2].position == (try Coordinate(latitude: 60.1699, longitude: 24.9384)))
        #expect(read.bad.map(\.number) == [4])
        #expect(
            read.firstReason
                == "position: it is missing, and the link \"http://maps.google.com/?cid=9\" has none; a point is needed"
        )
    }

    @Test("a list of Takeout: positions from links that have one, empty rows, another language")
    func takeoutList() throws {
        let read = try PinText(
            """
            My list of wishes

            Title,Note,URL,Tags,Comment
            ,,,,
            Dropped pin,By the sea,"https://www.google.com/maps/search/60.1523,24.9297",,Sauna
            Ateneum,,https://www.google.com/maps/place/Ateneum/data=!4m2!3m1!1s0x46920bc796210691:0xcd4ebd843be2f763,,
            "A, B",,"https://www.google.com/maps/place/A/@60.17,24.94,17z/data=!3m1!4b1!4m5!3m4!1s0x0:0x0!8m2!3d60.1717!4d24.9414",,
            """)
        #expect(read.pins.map(\.name) == ["Dropped pin", "A, B"])
        #expect(read.pins.first?.note == "By the sea\nSauna")
        #expect(read.bad.isEmpty && read.unplaced.map(\.name) == ["Ateneum"])
        #expect(read.unplaced.first?.link.hasPrefix("https://www.google.com/maps/place/Ateneum") == true)
        let german = try PinText("Titel,Notiz,URL,Kommentar\nMeer,,\"https://maps.google.com/?q=60.1,24.9\",Schön\n")
        #expect(german.pins.map(\.name) == ["Meer"] && german.pins.map(\.note) == ["Schön"])
    }

    @Test("one Feature, features in lines, and a table with latitudes")
    func others() throws {
        let one = try PinText(
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[25,60]},"properties":{"name":"A"}}"#)
        #expect(one.pins.map(\.name) == ["A"])
        let lines = try PinText(
            """
            {"type":"Feature","geometry":{"type":"Point","coordinates":[25,60]},"properties":{"title":"A","visited_date":"2026-05-04"}}
            {"type":"Feature","geometry":{"type":"LineString","coordinates":[[25,60],[26,61]]},"properties":{"title":"B"}}
            {"type":"Feature","geometry":null,"properties":{"title":"C"}}
            """)
        #expect(lines.pins.map(\.visitedDay) == ["2026-05-04"] && lines.tracks.map(\.name) == ["B"])
        #expect(lines.bad.isEmpty && lines.unplaced.map(\.name) == ["C"])
        let table = try PinText("name;lat;lon;notes\nA;60.1;24.9;hi\nB;95;24.9;\nC;x;1;\n")
        #expect(table.pins.map(\.note) == ["hi"] && table.bad.map(\.number) == [3, 4])
    }
}
