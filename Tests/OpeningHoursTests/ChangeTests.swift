import OpeningHours
import Testing

@Suite("When hours change")
struct ChangeTests {
    /// Value, moment, when the state is another and which, in Helsinki.
    static let claims: [(String, String, String, HoursState)] = [
        ("Mo-Fr 09:00-18:00", "2026-11-26 12:00", "2026-11-26 18:00", .closed),
        ("Mo-Fr 09:00-18:00", "2026-11-27 18:00", "2026-11-30 09:00", .open),
        ("Mo-Fr 09:00-18:00; PH off", "2026-12-23 18:00", "2026-12-28 09:00", .open),
        ("Fr 20:00-04:00", "2026-11-27 23:00", "2026-11-28 04:00", .closed),
        ("00:00-24:00; Su off", "2026-11-26 12:00", "2026-11-29 00:00", .closed),
        ("Mo-Fr 09:00-12:00 || \"on call\"", "2026-11-26 11:00", "2026-11-26 12:00", .unknown),
        ("18:00+", "2026-11-26 20:00", "2026-11-27 00:00", .unknown),
        // Clocks go forward at three, and back at four.
        ("01:00-05:00", "2027-03-28 02:00", "2027-03-28 05:00", .closed),
        ("01:00-05:00", "2026-10-25 02:00", "2026-10-25 05:00", .closed),
    ]

    @Test("the next change is the first, by the clock there", arguments: claims)
    func change(value: String, moment: String, next: String, state: HoursState) throws {
        let hours = try #require(OpeningHours(value))
        let change = hours.change(after: Hours.instant(moment), in: Hours.place())
        #expect(change?.time == Hours.instant(next))
        #expect(change?.state == state)
    }

    @Test("what never changes, or not for weeks, has none", arguments: ["24/7", "off", "Jun-Aug 09:00-18:00"])
    func none(value: String) throws {
        let hours = try #require(OpeningHours(value))
        #expect(hours.change(after: Hours.instant("2026-11-26 12:00"), in: Hours.place()) == nil)
    }

    @Test("a week has the spans of each day, a night with its evening")
    func week() throws {
        let hours = try #require(OpeningHours("We-Th 09:00-12:00,18:00-02:00; Fr off \"moved\""))
        let place = Hours.place()
        let day = hours.day(of: Hours.instant("2026-11-26 01:00"), in: place)
        let week = try #require(hours.week(from: day, in: place))
        #expect(week[0].map { [$0.start, $0.end] } == [[540, 720], [1080, 1560]])
        #expect(week[1].map { hours.comment(ofRule: $0.moment.rule ?? -1) } == ["moved"])
        #expect(week[2].isEmpty)
        #expect(week.count == 7)
    }
}
