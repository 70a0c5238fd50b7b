import EventLoops
import Geo
import OpeningHours
import PlaceContracts

import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P61 Hours of places")
struct HoursTests {
    /// Thursday, 26 November 2026, 14:30 in Helsinki; 7:30 in New York.
    private static let now = TimestampMessage(unixSeconds: 1_795_696_200)
    private static let centre = BaseContracts.Coordinate(latitude: 60.17, longitude: 24.94)
    private static let tables = Result { try HoursTables(bundledIn: BundledDataTests.folder) }
    private static let table = """
        id\tname\tcategories\tlat\tlon\topening_hours
        1\tDay\tamenity/cafe\t60.1701\t24.94\tMo-Fr 09:00-18:00; PH off
        2\tNight\tamenity/cafe\t60.1702\t24.94\tMo-Su 20:00-04:00
        3\tSilent\tamenity/cafe\t60.1703\t24.94\t
        4\tAsking\tamenity/cafe\t60.1704\t24.94\t"on call"
        5\tOdd\tamenity/cafe\t60.1705\t24.94\twhen we feel like it
        6\tLate\tamenity/cafe\t60.1706\t24.94\tTh 14:00-14:45
        """

    private static func run(_ body: (TestService) async throws -> Void) async throws {
        try await TestService.run(hours: OpenedHours(try tables.get())) { service in
            try await service.load(table)
            try await body(service)
        }
    }

    private static func nearby(
        _ service: TestService, _ condition: OpenAt?, limit: UInt32 = 20, fields: [String] = []
    ) async throws -> NearbyResponse {
        let request = NearbyRequest(
            centre: centre, limit: limit, fields: fields, includeCount: true, openAt: condition)
        return try await service.client.nearby(request, TestService.soon)
    }

    @Test("a search gives those that are open at a moment, or closed, before its limit, and counts all")
    func filter() async throws {
        try await Self.run { service async throws in
            for (state, orUnknown, names) in [
                (OpenState.unspecified, false, ["Day", "Late"]), (.closed, false, ["Night"]),
                (.unknown, false, ["Silent", "Asking", "Odd"]), (.closed, true, ["Night", "Silent", "Asking", "Odd"]),
            ] {
                let condition = OpenAt(time: Self.now, state: state, orUnknown: orUnknown)
                let answer = try await Self.nearby(service, condition)
                #expect(answer.places.map(\.name) == names)
                #expect(answer.count == UInt64(names.count))
                #expect(answer.openCounts == OpenCounts(open: 2, closed: 1, unknown: 3))
            }
            let first = try await Self.nearby(service, OpenAt(time: Self.now, state: .unknown), limit: 2)
            #expect(first.places.map(\.name) == ["Silent", "Asking"])
            #expect(first.truncated)
            let box = Box(
                southWest: BaseContracts.Coordinate(latitude: 60.16, longitude: 24.9),
                northEast: BaseContracts.Coordinate(latitude: 60.18, longitude: 25))
            let within = try await service.client.within(
                WithinRequest(box: box, openAt: OpenAt(time: Self.now)), TestService.soon)
            #expect(within.places.map(\.name) == ["Day", "Late"])
            let christmas = OpenAt(time: TimestampMessage(unixSeconds: 1_798_106_400), state: .closed)
            #expect(try await Self.nearby(service, christmas).places.map(\.name) == ["Day", "Night", "Late"])
        }
    }

    @Test("an answer has what the hours say, where they are asked for, and no other answer has")
    func answer() async throws {
        try await Self.run { service async throws in
            let plain = try await Self.nearby(service, nil)
            #expect(plain.places.allSatisfy { $0.hours == nil })
            #expect(plain.openCounts == nil)
            let found = try await Self.nearby(service, OpenAt(time: Self.now))
            let late = try #require(found.places.last?.hours)
            #expect(late.state == .open && late.nextState == .closed && late.timeZone == "Europe/Helsinki")
            #expect(late.changeTime == TimestampMessage(unixSeconds: 1_795_697_100))
            #expect(late.read && late.days.isEmpty)
            let fields = try await Self.nearby(
                service, OpenAt(time: Self.now, state: .closed, orUnknown: true), fields: ["name", "hours"])
            let night = try #require(fields.places.first?.hours)
            #expect(night.days.count == 7)
            #expect(night.days.first?.spans == [OpenSpan(startMinute: 1200, endMinute: 1680, state: .open)])
            #expect(fields.places.first?.attributes.isEmpty == true)
            #expect(fields.places.first { $0.name == "Silent" }?.hours == nil)
            #expect(fields.places.first { $0.name == "Asking" }?.hours?.remark == "on call")
            #expect(fields.places.first { $0.name == "Odd" }?.hours == PlaceHours(state: .unknown))
        }
    }

    @Test("the search box finds what is open then")
    func find() async throws {
        try await Self.run { service async throws in
            for (text, state, names) in [
                ("night", OpenState.open, [String]()), ("night", .closed, ["Night"]), ("day", .open, ["Day"]),
                ("cafe", .open, ["Day", "Late"]), ("60.17, 24.94", .open, []),
            ] {
                let request = FindRequest(
                    text: text, near: Self.centre, openAt: OpenAt(time: Self.now, state: state))
                await service.handler.geocoder.prepare(service.handler.catalog.view, service.handler.blocking)
                let found = try await service.client.find(request, TestService.soon).results
                #expect(found.map(\.name) == names, "\(text)")
                #expect(found.allSatisfy { $0.hours?.state == state })
            }
        }
    }

    @Test("a moment that is none is refused")
    func refused() async throws {
        try await Self.run { service async throws in
            let far = OpenAt(time: TimestampMessage(unixSeconds: 9_000_000_000))
            await #expect(throws: (any Error).self) { try await Self.nearby(service, far) }
        }
    }

    @Test(
        "a point has the clock and the holidays of where it is",
        arguments: [
            (60.17, 24.94, "Europe/Helsinki"), (40.7, -74, "America/New_York"), (-33.87, 151.2, "Australia/Sydney"),
            (43.733, 7.417, "Europe/Monaco"), (0, -30, "Etc/GMT+2"), (28.6, 77.2, "Asia/Kolkata"),
        ])
    func zone(latitude: Double, longitude: Double, name: String) throws {
        let point = try Geo.Coordinate(latitude: latitude, longitude: longitude)
        #expect(try Self.tables.get().place(at: point)?.zone == name)
    }
}
