import FeatureFiles
import Geo
import PinFiles
import Testing

@Suite("I4 Heights and times of tracks")
struct TrackDetailTests {
    private func point(_ latitude: Double, _ longitude: Double, _ height: Int32?, _ time: Int64?) throws -> ShapePoint {
        ShapePoint(
            try Coordinate(latitude: latitude, longitude: longitude), heightCentimetres: height, milliseconds: time)
    }

    @Test("are read from GPX, in tracks and routes, as programs write them")
    func gpx() throws {
        let read = try PinText(
            """
            <gpx><metadata><time>2020-01-01T00:00:00Z</time></metadata>
            <trk><name>T</name><time>2021-01-01T00:00:00Z</time>
            <trkseg><trkpt lat="1" lon="2"><ele>12.345</ele><time>2024-05-01T10:00:00.5Z</time>
            <extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>99</gpxtpx:hr><ele>7</ele></gpxtpx:TrackPointExtension>
            </extensions></trkpt>
            <trkpt lat="1" lon="3"><time>2024-05-01 12:00:01+02:00</time><ele>-3,5</ele></trkpt>
            <trkpt lat="1" lon="4"><ele>NaN</ele><time>yesterday</time></trkpt>
            <trkpt lat="1" lon="5"><ele>1e9</ele></trkpt></trkseg></trk>
            <rte><rtept lat="1" lon="2"><ele>5</ele></rtept><rtept lat="1" lon="3"><ele>6</ele></rtept></rte></gpx>
            """)
        let walk: Int64 = 1_714_557_600_500
        #expect(
            read.tracks.first?.parts.first?.points == [
                try point(1, 2, 1_235, walk), try point(1, 3, -350, walk + 500), try point(1, 4, nil, nil),
                try point(1, 5, nil, nil),
            ])
        #expect(read.tracks.last?.parts.first?.points.map(\.heightCentimetres) == [500, 600] && read.bad.isEmpty)
    }

    @Test("are read from KML: a track's times, however many, stand before its points; heights that are all 0 are none")
    func kml() throws {
        let whens = (0..<20_000).map { _ in "<when>2024-05-01T10:00:00Z</when>" }.joined()
        let points = (0..<20_000).map { "<gx:coord>\(Double($0) / 1_000) 1 \($0)</gx:coord>" }.joined()
        let read = try PinText(
            """
            <kml><Placemark><gx:MultiTrack><gx:Track>\(whens)\(points)</gx:Track>
            <gx:Track><when>2024-05-01T10:00:00Z</when><gx:coord>1 2 3</gx:coord><gx:coord>2 2 3</gx:coord></gx:Track>
            </gx:MultiTrack></Placemark>
            <Placemark><LineString><coordinates>1,2,0 2,2,0</coordinates></LineString></Placemark>
            <Placemark><LineString><coordinates>1, 2, 5 2, 2, 6</coordinates></LineString></Placemark></kml>
            """)
        #expect(read.bad.isEmpty && read.tracks.map { $0.parts.map(\.points.count) } == [[20_000, 2], [2], [2]])
        let parts = try #require(read.tracks.first?.parts)
        #expect(parts[0].points.allSatisfy { $0.milliseconds == 1_714_557_600_000 })
        #expect(parts[0].points.last?.heightCentimetres == 1_999_900)
        // One time for two points: nothing says whose it is.
        #expect(parts[1].points.map(\.milliseconds) == [nil, nil])
        #expect(read.tracks[1].parts[0].points.map(\.heightCentimetres) == [nil, nil])
        #expect(read.tracks[2].parts[0].points.map(\.heightCentimetres) == [500, 600])
    }

    @Test("are read from GeoJSON: a third number, and times beside the geometry", arguments: [true, false])
    func geoJSON(isOld: Bool) throws {
        let times = #"[["2024-05-01T10:00:00Z",null],[1714557600000,"2024-05-01T10:00:01Z"]]"#
        let properties = isOld ? "{\"coordTimes\":\(times)}" : "{\"coordinateProperties\":{\"times\":\(times)}}"
        let read = try PinText(
            """
            {"type":"Feature","properties":\(properties),"geometry":{"type":"MultiLineString","coordinates":
            [[[1,2,3.5,99],[2,2,null]],[[3,3,"7"],[4,4]]]}}
            """)
        let time: Int64 = 1_714_557_600_000
        #expect(read.bad.isEmpty)
        #expect(
            read.tracks.first?.parts.map(\.points) == [
                [try point(2, 1, 350, time), try point(2, 2, nil, nil)],
                [try point(3, 3, 700, time), try point(4, 4, nil, time + 1_000)],
            ])
    }

    @Test("are the same after they were written and read again", arguments: PinFormat.allCases)
    func written(format: PinFormat) throws {
        let tracks = [
            TrackRecord(parts: [
                .init([try point(1, 2, 1_234, 1_714_557_600_123), try point(1, 3, -50, nil), try point(1, 4, nil, -1)]),
                .init([try point(5, 2, 1, nil), try point(5, 3, 7_000, nil)]),
            ]),
            TrackRecord(parts: [.init([try point(1, 2, nil, 0), try point(1, 3, nil, 253_402_300_799_999)])]),
        ]
        var writer = PinFileWriter(format)
        let read = try PinText(bytes: writer.begin() + writer.add(tracks) + writer.end())
        #expect(read.tracks.map(\.parts) == tracks.map(\.parts) && read.bad.isEmpty)
    }
}
