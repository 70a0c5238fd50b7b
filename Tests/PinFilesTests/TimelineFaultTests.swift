import Compression
import FeatureFiles
import Geo
import PinFiles
import TestTools
import Testing

@Suite("P52 I7 Files of where a phone was that are damaged, endless, or of two kinds")
struct TimelineFaultTests {
    private static let place = """
        {"placeVisit":{"location":{"latitudeE7":377749000,"longitudeE7":-1224194000,"placeId":"A","name":"Pier"},
        "duration":{"startTimestamp":"2020-10-03T01:00:00Z","endTimestamp":"2020-10-03T02:00:00Z"}}}
        """
    private static let drive = """
        {"activitySegment":{"startLocation":{"latitudeE7":377749000,"longitudeE7":-1224194000},
        "endLocation":{"latitudeE7":378000000,"longitudeE7":-1224000000},
        "duration":{"startTimestamp":"2020-10-03T02:00:00Z","endTimestamp":"2020-10-03T03:00:00Z"}}}
        """

    private static func month(_ objects: String...) -> String {
        "{\"timelineObjects\":[\(objects.joined(separator: ","))]}"
    }

    private static func phone(_ segments: String...) -> String {
        "{\"semanticSegments\":[\(segments.joined(separator: ","))]}"
    }

    private static func archive(_ files: (String, String)...) -> [UInt8] {
        ZipMaker.archive(files.map { (name: "Takeout/\($0).json", bytes: Array($1.utf8)) })
    }

    @Test("a month that breaks is said, though its places come at the end of the archive")
    func damagedMonth() throws {
        let long = "{\"x\":\"\(String(repeating: "y", count: 400 << 10))\"}"
        let found = try PinText(bytes: Self.archive(("2020_OCTOBER", Self.month(Self.place, long, Self.place))))
        #expect(found.pins.map(\.name) == ["Pier"])
        #expect(found.firstReason.contains("a single value of more than"))
    }

    @Test("a measured point takes from no other month its ways, and one that is too inexact from none")
    func kinds() throws {
        func point(_ time: String, _ accuracy: Int) -> String {
            """
            {"locations":[{"latitudeE7":377749000,"longitudeE7":-1224194000,"accuracy":\(accuracy),
            "timestamp":"2020-\(time)T00:00:00Z"}]}
            """
        }
        for records in [point("10-02", 2_000), point("09-02", 10)] {
            let found = try PinText(bytes: Self.archive(("Records", records), ("OCTOBER", Self.month(Self.drive))))
            #expect(found.tracks.map(\.name) == ["2020-10"] && found.reasons.isEmpty)
        }
        let found = try PinText(
            bytes: Self.archive(("Records", point("10-02", 10)), ("OCTOBER", Self.month(Self.drive))))
        #expect(found.reasons == ["ways that another file of the archive has too are left out"])
    }

    @Test("a visit without a zone has the day of its place")
    func day() throws {
        #expect(try PinText(Self.month(Self.place)).pins.map(\.visitedDay) == ["2020-10-02"])
        let far = Self.place.replacing("-1224194000", with: "1397671000").replacing("03T01", with: "03T16")
        #expect(try PinText(Self.month(far)).pins.map(\.visitedDay) == ["2020-10-04"])
        let late = """
            {"startTime":"9999-12-31T23:00:00Z","startTimeTimezoneUtcOffsetMinutes":600,"visit":{"topCandidate":{
            "placeLocation":{"latLng":"1°, 2°"}}}}
            """
        #expect(try PinText(Self.phone(late)).pins.map(\.visitedDay) == [""])
        let mad = late.replacing("9999-12-31", with: "2020-12-01").replacing(":600", with: ":5000000")
        #expect(try PinText(Self.phone(mad)).pins.map(\.visitedDay) == ["2020-12-01"])
    }

    @Test("ways and points without a time are said, and not called points without a position")
    func timeless() throws {
        let way = #"{"activity":{"start":{"latLng":"1°, 2°"},"end":{"latLng":"1.1°, 2.1°"}}}"#
        let path = #"{"timelinePath":[{"point":"1°, 2°"},{"point":"1.1°, 2.1°"}]}"#
        let record = #"{"latitudeE7":10000000,"longitudeE7":20000000}"#
        let nowhere = #"{"timelinePath":[{"time":"2020-10-03T01:00:00Z"}]}"#
        let found = try PinText(Self.phone(way, path, record, nowhere))
        let time = "time: it is missing, or can't be read"
        #expect(found.reasons == [time, time, time, "position: it is missing, or is none on the Earth"])
        #expect(found.bad.map(\.number) == [1, 2, 3, 4] && found.tracks.isEmpty)
    }

    @Test("a drive at whose beginning alone a point is known is drawn")
    func touched() throws {
        let path = """
            {"timelinePath":[{"point":"1°, 2°","time":"2020-10-03T01:50:00Z"},
            {"point":"1.1°, 2.1°","time":"2020-10-03T02:00:00Z"}]}
            """
        let drive = """
            {"startTime":"2020-10-03T02:00:00Z","endTime":"2020-10-03T03:00:00Z","activity":{
            "start":{"latLng":"1.1°, 2.1°"},"end":{"latLng":"1.3°, 2.3°"}}}
            """
        #expect(try PinText(Self.phone(path, drive)).tracks.map { $0.parts.count } == [2])
        let inside = path.replacing("02:00:00", with: "02:10:00")
        #expect(try PinText(Self.phone(inside, drive)).tracks.map { $0.parts.count } == [1])
    }

    @Test("a way without an end in time is not turned around")
    func halfTimed() throws {
        let open = Self.drive.replacing(",\"endTimestamp\":\"2020-10-03T03:00:00Z\"", with: "")
        let found = try PinText(Self.month(open))
        #expect(found.tracks.first?.parts.first?.positions.map(\.latitudeE7) == [377_749_000, 378_000_000])
    }

    @Test("the last day of 1969 is in its month, and the next one in its own")
    func epoch() throws {
        let ways = ["1969-12-31T12", "1970-01-01T12"].map { hour in
            """
            {"startTime":"\(hour):00:00Z","endTime":"\(hour):30:00Z","activity":{"start":{"latLng":"1°, 2°"},
            "end":{"latLng":"1.1°, 2.1°"}}}
            """
        }
        #expect(try PinText(Self.phone(ways[0], ways[1])).tracks.map(\.name) == ["1969-12", "1970-01"])
    }

    @Test("long names keep their beginning, by their bytes")
    func longName() throws {
        for (name, kept) in [(String(repeating: "x", count: 401), 200), (String(repeating: "é", count: 301), 100)] {
            let found = try PinText(Self.month(Self.place.replacing("Pier", with: "a\(name)")))
            #expect((found.pins.first?.name.unicodeScalars.count ?? 0) == kept)
        }
    }

    @Test("of entries that can't be read so many are taken, and what follows is left out")
    func manyBad() throws {
        let text = "{\"semanticSegments\":[" + String(repeating: "{\"visit\":{}},", count: 150_000)
        let found = try PinText(text + Self.place + "]}")
        #expect(found.bad.count < 110_000)
        #expect(found.reasons.last == "100000 entries can't be read; what follows is left out")
    }

    @Test("what a phone has measured may unpack to more than other files, packed alone and in an archive")
    func sizes() throws {
        var limits = PinFileLimits()
        (limits.unpackedBytes, limits.timelineBytes) = (1 << 20, 4 << 20)
        let filling = "\"rawSignals\":[\(String(repeating: "{\"a\":1},", count: 250_000)){}]}"
        let phone = "{\"timelineObjects\":[\(Self.place)],\(filling)"
        let points =
            #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"A"},"#
            + #""geometry":{"type":"Point","coordinates":[1,1]}}],"# + filling
        let (much, most) = ("unpacks to more than 1048576 bytes", "unpacks to more than 4194304 bytes")
        #expect(try PinText(bytes: Gzip.pack(Array(phone.utf8)), limits: limits).pins.count == 1)
        #expect(try PinText.refusal(Gzip.pack(Array(points.utf8)), limits: limits).contains(much))
        #expect(try PinText(bytes: Self.archive(("a", phone)), limits: limits).pins.count == 1)
        #expect(try PinText.refusal(Self.archive(("a", points)), limits: limits).contains(much))
        #expect(try PinText.refusal(Self.archive(("a", phone), ("b", points)), limits: limits).contains(much))
        let three = Self.archive(("a", phone), ("b", phone), ("c", phone))
        #expect(try PinText.refusal(three, limits: limits).contains(most))
    }
}
