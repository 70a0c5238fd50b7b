import FeatureFiles
import Geo
import PinFiles
import TestTools
import Testing

@Suite("P52 I7 Where a phone was, as Google's programs write it")
struct TimelineTests {
    private static let visit = """
        {"startTime":"2024-05-04T23:30:00.000+09:00","endTime":"2024-05-05T01:00:00.000+09:00","visit":{
        "hierarchyLevel":0,"probability":0.8,"topCandidate":{"placeId":"A","semanticType":"INFERRED_HOME",
        "probability":0.9,"placeLocation":{"latLng":"35.6812°, 139.7671°"}}}}
        """
    private static let path = """
        {"startTime":"2024-05-05T00:00:00Z","endTime":"2024-05-05T02:00:00Z","timelinePath":[
        {"point":"35.6812°, 139.7671°","time":"2024-05-05T00:10:00Z"},
        {"point":"35.6900°, 139.7700°","time":"2024-05-05T00:20:00Z"},
        {"point":"35.7000°, 139.7800°","time":"2024-05-05T00:30:00Z"}]}
        """

    private static func phone(_ segments: String...) -> String {
        """
        {"semanticSegments":[\(segments.joined(separator: ","))],"rawSignals":[{"position":{"LatLng":"1°, 2°",
        "timestamp":"2024-05-05T00:00:00Z"}},{"wifiScan":{"devicesRecords":[{"mac":1}]}}],
        "userLocationProfile":{"frequentPlaces":[{"placeId":"A","placeLocation":"35.6812°, 139.7671°","label":"HOME"}]}}
        """
    }

    @Test("a visit of a phone of Android is a pin with its day there, in a list")
    func android() throws {
        let found = try PinText(Self.phone(Self.visit, Self.path))
        try #require(found.pins.count == 1)
        #expect(found.pins[0].position == (try Coordinate(latitude: 35.6812, longitude: 139.7671)))
        #expect(found.pins[0].name == "Home")
        #expect(found.pins[0].visitedDay == "2024-05-04")
        #expect(found.pins[0].lists.map(\.name) == ["Timeline"])
        #expect(found.reasons.isEmpty)
        try #require(found.tracks.count == 1)
        #expect(found.tracks[0].name == "2024-05")
        #expect(found.tracks[0].parts.map(\.points.count) == [3])
        #expect(found.tracks[0].parts[0].points[1].milliseconds == FileTime.milliseconds("2024-05-05T00:20:00Z"))
    }

    @Test("an iPhone's file is an array, with positions as geo: and minutes as texts")
    func iPhone() throws {
        let found = try PinText(
            """
            [{"endTime":"2018-12-26T18:55:26.237Z","startTime":"2018-12-26T15:23:48.869Z","visit":{"hierarchyLevel":"0",
            "topCandidate":{"probability":"0.4","semanticType":"Searched Address","placeID":"A",
            "placeLocation":"geo:41.570045,-8.468077"},"probability":"0.89"}},
            {"endTime":"2018-12-27T10:35:33.000Z","startTime":"2018-12-27T10:00:00Z","activity":{
            "end":"geo:41.640695,-8.333992","topCandidate":{"type":"in passenger vehicle","probability":"0.0"},
            "distanceMeters":"13984.0","start":"geo:41.569998,-8.468419"}},
            {"timelinePath":[{"durationMinutesOffsetFromStartTime":"30","point":"geo:41.1,-8.1"},
            {"point":"geo:41.2,-8.2","durationMinutesOffsetFromStartTime":"45"}],
            "endTime":"2018-12-28T02:00:00Z","startTime":"2018-12-28T00:00:00Z"}]
            """)
        try #require(found.pins.count == 1 && found.tracks.count == 1)
        #expect(found.pins[0].position == (try Coordinate(latitude: 41.570045, longitude: -8.468077)))
        #expect(!found.pins[0].isNamed)
        #expect(found.pins[0].visitedDay == "2018-12-26")
        // The drive of which only the ends are known, and the path of the next day.
        let parts = found.tracks[0].parts
        #expect(parts.map(\.points.count) == [2, 2])
        #expect(parts.first?.points.first?.milliseconds == FileTime.milliseconds("2018-12-27T10:00:00Z"))
        #expect(parts.last?.points.last?.milliseconds == FileTime.milliseconds("2018-12-28T00:45:00Z"))
        #expect(found.reasons.isEmpty)
    }

    @Test("a way is drawn by its points where there are some, and not also straight")
    func straight() throws {
        let drive = """
            {"startTime":"2024-05-05T00:05:00Z","endTime":"2024-05-05T00:35:00Z","activity":{"start":
            {"latLng":"35.68°, 139.76°"},"end":{"latLng":"35.70°, 139.78°"},"topCandidate":{"type":"WALKING"}}}
            """
        #expect(try PinText(Self.phone(Self.path, drive)).tracks[0].parts.map(\.points.count) == [3])
        #expect(try PinText(Self.phone(drive)).tracks[0].parts.map(\.points.count) == [2])
    }

    @Test("a place is one pin however often one was there, with its last day and the days before")
    func oncePerPlace() throws {
        let days = (1...25).map { day in
            Self.visit.replacing("2024-05-04T23", with: "2024-04-\(day < 10 ? "0" : "")\(day)T23")
        }
        let found = try PinText("{\"semanticSegments\":[\(days.reversed().joined(separator: ","))]}")
        try #require(found.pins.count == 1)
        #expect(found.pins[0].visitedDay == "2024-04-25")
        #expect(found.pins[0].note.hasPrefix("2024-04-25, 2024-04-24, "))
        #expect(found.pins[0].note.hasSuffix("2024-04-06, … (25)"))
    }

    private static let months = """
        {"timelineObjects":[{"placeVisit":{"location":{"latitudeE7":601699000,"longitudeE7":249384000,"placeId":"A",
        "address":"Aleksanterinkatu 1\\nHelsinki","name":"Kauppatori","sourceInfo":{"deviceTag":1}},
        "duration":{"startTimestampMs":"1601686638034","endTimestampMs":"1601690238034"},
        "otherCandidateLocations":[{"latitudeE7":1,"longitudeE7":1,"placeId":"B","name":"elsewhere"}],
        "childVisits":[{"location":{"latitudeE7":601700000,"longitudeE7":249390000,"placeId":"C","name":"Inside"},
        "duration":{"startTimestamp":"2020-10-03T01:00:00Z","endTimestamp":"2020-10-03T01:10:00Z"}}],
        "simplifiedRawPath":{"points":[{"latE7":601690000,"lngE7":249380000}]}}},
        {"activitySegment":{"startLocation":{"latitudeE7":601699000,"longitudeE7":249384000},
        "endLocation":{"latitudeE7":602000000,"longitudeE7":250000000},
        "duration":{"startTimestamp":"2020-10-03T02:00:00Z","endTimestamp":"2020-10-03T03:00:00Z"},
        "activities":[{"activityType":"WALKING","probability":81.7}],
        "waypointPath":{"waypoints":[{"latE7":601800000,"lngE7":249500000},{"latE7":601900000,"lngE7":249700000}]}}},
        {"placeVisit":{"location":{"placeId":"D"},"centerLatE7":605000000,"centerLngE7":245000000,
        "duration":{"startTimestamp":"2020-10-04T00:00:00Z"}}}]}
        """

    @Test("Takeout's months have names, places within places, and ways by their waypoints")
    func semantic() throws {
        let found = try PinText(Self.months)
        #expect(found.pins.map(\.name) == ["Kauppatori", "Inside", ""])
        #expect(found.pins[0].visitedDay == "2020-10-03")
        #expect(found.pins[0].note == "Aleksanterinkatu 1\nHelsinki")
        #expect(found.pins[2].position == (try Coordinate(latitude: 60.5, longitude: 24.5)))
        try #require(found.tracks.count == 1)
        #expect(found.tracks[0].parts.map(\.points.count) == [4])
        #expect(found.reasons.isEmpty)
    }

    private static func record(_ minute: Int, _ latitude: Int, _ more: String = "") -> String {
        let time = FileTime.text(1_600_000_000_000 + Int64(minute) * 60_000)
        return """
            {"latitudeE7":\(latitude),"longitudeE7":249384000,"accuracy":20,"timestamp":"\(time)",
            "activity":[{"activity":[{"type":"STILL","confidence":80}],"timestamp":"\(time)"}]\(more)}
            """
    }

    @Test("measured points are ways with pauses between them, without a still phone's restlessness")
    func records() throws {
        let still = (0..<5).map { Self.record($0, 600_000_000 + $0 % 2 * 1_000) }
        let walk = (5..<10).map { Self.record($0, 600_000_000 + ($0 - 4) * 10_000) }
        let far = Self.record(10, 610_000_000).replacing("\"accuracy\":20", with: "\"accuracy\":2000")
        let later = (200..<203).map { Self.record($0, 601_000_000 + $0 * 10_000) }
        for entries in [still + walk + [far] + later, (still + walk + [far] + later).reversed()] {
            let found = try PinText("{\"locations\":[\(entries.joined(separator: ","))]}")
            try #require(found.tracks.count == 1)
            #expect(found.tracks[0].parts.map(\.points.count) == [6, 3])
            #expect(found.tracks[0].parts[0].points.map(\.milliseconds).map { $0 ?? 0 }.isAscending)
            #expect(found.pins.isEmpty && found.reasons.isEmpty)
        }
    }

    @Test("two phones of one account have their own ways, and numbers beyond 32 bits are turned back")
    func devices() throws {
        let entries = (0..<4).flatMap { minute in
            [
                Self.record(minute, 600_000_000 + minute * 10_000, ",\"deviceTag\":1"),
                Self.record(minute, 4_294_967_296 - 300_000_000 + minute * 10_000, ",\"deviceTag\":-2"),
            ]
        }
        let found = try PinText("{\"locations\":[\(entries.joined(separator: ","))]}")
        try #require(found.tracks.count == 1 && found.tracks[0].parts.count == 2)
        let south = found.tracks[0].parts.map { $0.points[0].position.latitudeE7 }.sorted()
        #expect(south == [-300_000_000, 600_000_000])
    }

    @Test("what can't be read costs its entry, and a cut-off file what follows")
    func tolerant() throws {
        let broken = Self.visit.replacing("35.6812°, 139.7671°", with: "nowhere")
        let missing = #"{"startTime":"2024-05-04T23:30:00Z","visit":{"topCandidate":{"placeId":"B"}}}"#
        let memory = #"{"timelineMemory":{"trip":{"destinations":[{"identifier":{"placeId":"A"}}]}}}"#
        let found = try PinText(Self.phone(broken, missing, memory, "null", Self.visit))
        #expect(found.pins.count == 1)
        #expect(found.bad.map(\.number) == [1, 2])
        #expect(found.firstReason == "placeLocation: \"nowhere\" is no position")
        let cut = try PinText(String(Self.phone(Self.visit, Self.path).prefix(700)))
        #expect(cut.pins.count == 1)
        #expect(cut.firstReason.contains("what follows are left out"))
    }

    @Test("an archive's months have each place once, and ways from its measured points alone")
    func archive() throws {
        let walk = (0..<5).map { Self.record($0, 600_000_000 + $0 * 10_000) }
        let records = "{\"locations\":[\(walk.joined(separator: ","))]}".replacing("2020-09-13", with: "2020-10-13")
        let found = try PinText(
            bytes: ZipMaker.archive([
                ("Takeout/Location History/Records.json", Array(records.utf8)),
                ("Takeout/Location History/Semantic Location History/2020/2020_OCTOBER.json", Array(Self.months.utf8)),
                ("Takeout/Location History/Semantic Location History/2020/2020_NOVEMBER.json", Array(Self.months.utf8)),
                ("Takeout/Location History/Settings.json", Array(#"{"createdTime":"2020","deviceSettings":[]}"#.utf8)),
            ]))
        #expect(found.pins.map(\.name) == ["Kauppatori", "Inside", ""])
        #expect(found.tracks.map { $0.parts.map(\.points.count) } == [[5]])
        #expect(found.reasons == ["ways that another file of the archive has too are left out"])
    }

    @Test("of more months than people have had phones none is lost, and few are kept at once")
    func manyMonths() throws {
        let entries = (0..<1_500).map { month in
            let number = month % 12 + 1
            return """
                {"startTime":"\(1_000 + month / 12)-\(number < 10 ? "0" : "")\(number)-01T00:00:00Z","activity":{
                "start":{"latLng":"1°, 2°"},"end":{"latLng":"1.1°, 2.1°"}}}
                """
        }
        let found = try PinText("{\"semanticSegments\":[\(entries.joined(separator: ","))]}")
        #expect(found.tracks.reduce(0) { $0 + $1.parts.count } == 1_500 && found.reasons.isEmpty)
        #expect(found.tracks.map(\.name).isAscending && Set(found.tracks.map(\.name)).count == 1_500)
    }

    @Test("a member that comes again and again is read so often and no more")
    func manyVisits() throws {
        let visits = String(repeating: "\"visit\":{},", count: 2_000)
        let found = try PinText("{\"semanticSegments\":[{\(visits)\"startTime\":\"2024-05-04T00:00:00Z\"}]}")
        #expect(found.firstReason == "it has 1000 visits; no more are read")
    }

    @Test("months come in any order, and as many tracks as there are months")
    func anyOrder() throws {
        let times = (0..<600).map { 1_500_000_000_000 + Int64($0 * 7_919 % 600) * 86_400_000 }
        let entries = times.map { time in
            """
            {"startTime":"\(FileTime.text(time))","endTime":"\(FileTime.text(time + 600_000))",
            "activity":{"start":{"latLng":"1°, 2°"},"end":{"latLng":"1.1°, 2.1°"}}}
            """
        }
        let found = try PinText("{\"semanticSegments\":[\(entries.joined(separator: ","))]}")
        #expect(found.tracks.map(\.name).isAscending)
        #expect(found.tracks.reduce(0) { $0 + $1.parts.count } == 600)
        #expect(Set(found.tracks.map(\.name)).count == found.tracks.count)
    }
}

extension Array where Element: Comparable {
    fileprivate var isAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 <= $1 } }
}
