import OpeningHours
import Testing

@Suite("Whether hours are open")
struct StateTests {
    /// Value, moment in Helsinki, state. 26 November 2026 is a Thursday.
    static let claims: [(String, String, String)] = [
        ("24/7", "2026-11-26 03:00", "open"),
        ("Mo-Fr 09:00-18:00", "2026-11-26 08:59", "closed"),
        ("Mo-Fr 09:00-18:00", "2026-11-26 09:00", "open"),
        ("Mo-Fr 09:00-18:00", "2026-11-26 18:00", "closed"),
        ("Mo-Fr 09:00-18:00", "2026-11-28 12:00", "closed"),
        ("Mo-Fr 09:00-12:00,13:00-18:00", "2026-11-26 12:30", "closed"),
        // A night belongs to its evening, whatever the next day's rule says.
        ("Fr-Sa 20:00-04:00", "2026-11-28 03:59", "open"),
        ("Fr 20:00-04:00; Sa 18:00-23:00", "2026-11-28 03:00", "open"),
        ("Fr 20:00-04:00; Sa off", "2026-11-28 03:00", "open"),
        ("Fr 20:00-04:00; Sa 00:00-02:00 off", "2026-11-28 01:00", "closed"),
        ("Fr 20:00-04:00 || \"on call\"", "2026-11-28 03:00", "open"),
        ("Fr 20:00-04:00 || \"on call\"", "2026-11-28 05:00", "unknown"),
        ("Th 20:00-28:00", "2026-11-27 03:59", "open"),
        // What later rules say of a day stands in for what earlier ones do, and "," adds.
        ("Mo-Su 09:00-18:00; Th 12:00-14:00", "2026-11-26 10:00", "closed"),
        ("Mo-Fr 09:00-12:00, Th 14:00-16:00", "2026-11-26 10:00", "open"),
        ("Mo-Fr 09:00-12:00, Th 14:00-16:00", "2026-11-26 15:00", "open"),
        ("Jun-Sep: 00:00-24:00, May-Oct: Sa-Su 08:00-15:00", "2026-07-15 03:00", "open"),
        ("Jun-Sep: 00:00-24:00, May-Oct: Sa-Su 08:00-15:00", "2026-07-18 03:00", "open"),
        ("Jun-Sep: 00:00-24:00, May-Oct: Sa-Su 08:00-15:00", "2026-05-16 10:00", "open"),
        ("Jun-Sep: 00:00-24:00, May-Oct: Sa-Su 08:00-15:00", "2026-05-16 16:00", "closed"),
        ("Jun-Sep: 00:00-24:00, May-Oct: Sa-Su 08:00-15:00", "2026-05-13 10:00", "closed"),
        ("Jun-Sep: 00:00-24:00, May-Oct: Sa-Su 08:00-15:00", "2026-12-05 10:00", "closed"),
        ("09:00-18:00; Th 12:00-13:00 off", "2026-11-26 12:30", "closed"),
        ("09:00-18:00; Th 12:00-13:00 off", "2026-11-26 11:00", "open"),
        ("Mo-We,Sa, Th 09:00-18:00", "2026-11-30 12:00", "open"),
        // Otherwise.
        ("Mo-Fr 09:00-12:00 || \"on call\"", "2026-11-26 10:00", "open"),
        ("Mo-Fr 09:00-12:00 || \"on call\"", "2026-11-26 15:00", "unknown"),
        ("Mo-Fr 09:00-12:00 || Th 14:00-16:00", "2026-11-26 15:00", "open"),
        // What is not known.
        ("\"by appointment\"", "2026-11-26 15:00", "unknown"),
        ("Mo-Fr 09:00-18:00 \"ring\"", "2026-11-26 12:00", "unknown"),
        ("Mo-Fr 09:00-18:00 open \"ring\"", "2026-11-26 12:00", "open"),
        ("09:00-18:00 unknown", "2026-11-26 12:00", "unknown"),
        ("PH off", "2026-11-26 12:00", "unknown"),
        ("Sa,Su off", "2026-11-28 12:00", "closed"),
        // Open ends: known until midnight, or until their written end.
        ("18:00+", "2026-11-26 20:00", "open"),
        ("18:00+", "2026-11-26 02:00", "unknown"),
        ("18:00+", "2026-11-26 06:00", "closed"),
        ("14:00-17:00+", "2026-11-26 16:00", "open"),
        ("14:00-17:00+", "2026-11-26 19:00", "unknown"),
        // Dates.
        ("Jun-Aug 09:00-18:00", "2026-11-26 12:00", "closed"),
        ("Sep-May 09:00-18:00", "2026-11-26 12:00", "open"),
        ("Nov 20-Dec 6 10:00-14:00", "2026-11-26 12:00", "open"),
        ("Dec 24,25 off; 10:00-22:00", "2026-12-25 12:00", "open"),
        ("10:00-22:00; Dec 24,25 off", "2026-12-25 12:00", "closed"),
        ("10:00-22:00; 2026 Dec 24-2027 Jan 2 off", "2027-01-01 12:00", "closed"),
        ("10:00-22:00; 2026 Dec 24-2027 Jan 2 off", "2028-01-01 12:00", "open"),
        ("2026 10:00-22:00", "2026-11-26 12:00", "open"),
        ("2020-2030/2 10:00-22:00", "2027-11-26 12:00", "closed"),
        ("2025+ 10:00-22:00", "2046-11-26 12:00", "open"),
        ("week 48 10:00-12:00", "2026-11-26 11:00", "open"),
        ("week 1-53/2 10:00-12:00", "2026-11-26 11:00", "closed"),
        ("Feb 29 10:00-12:00", "2028-02-29 11:00", "open"),
        ("easter 10:00-12:00", "2027-03-28 11:00", "open"),
        ("easter -2 days-easter +1 day off; 10:00-12:00", "2027-03-28 11:00", "open"),
        ("10:00-12:00; easter -2 days-easter +1 day off", "2027-03-29 11:00", "closed"),
        ("Th[-1] 10:00-12:00", "2026-11-26 11:00", "open"),
        ("Th[1,3] 10:00-12:00", "2026-11-26 11:00", "closed"),
        ("We[-1] +1 day 10:00-12:00", "2026-11-26 11:00", "open"),
        ("Mar Su[-1]-Oct Su[-1] 10:00-12:00", "2026-11-26 11:00", "closed"),
        ("Nov Th[4] 10:00-12:00", "2026-11-26 11:00", "open"),
        // The sun of Helsinki: 8:49 to 15:24 on that day.
        ("sunrise-sunset", "2026-11-26 08:40", "closed"),
        ("sunrise-sunset", "2026-11-26 09:00", "open"),
        ("(sunset-02:00)-(sunset-01:00)", "2026-11-26 14:00", "open"),
        ("dawn-sunrise", "2026-11-26 08:20", "open"),
        // Holidays.
        ("Mo-Fr 09:00-18:00; PH off", "2026-12-24 12:00", "closed"),
        ("Mo-Fr 09:00-18:00; PH off", "2026-11-26 12:00", "open"),
        ("Mo-Fr 09:00-18:00; PH off", "2027-03-29 12:00", "closed"),
        ("Mo-Fr 09:00-18:00; PH off", "2027-01-06 12:00", "unknown"),
        ("Mo-Fr 09:00-18:00; PH off", "2027-01-06 20:00", "closed"),
        ("PH Mo-Fr 10:00-12:00", "2026-12-26 11:00", "closed"),
        ("PH,Mo-Fr 10:00-12:00", "2026-12-26 11:00", "open"),
        ("PH +1 day 10:00-12:00", "2026-12-27 11:00", "open"),
        ("Mo-Fr 09:00-18:00; SH off", "2026-11-26 12:00", "unknown"),
        ("Mo-Fr 09:00-18:00; SH 09:00-20:00", "2026-11-26 12:00", "open"),
        // As people write.
        ("Mon - Fri 9am - 5:30pm", "2026-11-26 17:00", "open"),
        ("Mo–Fr 9.00–18.00 Uhr", "2026-11-26 17:00", "open"),
        ("mo-fr: 10-18; sa 10-14", "2026-11-28 13:00", "open"),
        ("Mo-Fr 08:00-19:00 Sa 09:00-19:00", "2026-11-28 18:00", "open"),
        ("Mo-Fr 16:00-, Sa 14:00-", "2026-11-28 15:00", "open"),
        ("Daily 10 am to midnight", "2026-11-28 23:59", "open"),
        ("Mo-Fr 12:00-14:00 and 18:00 till late", "2026-11-26 19:00", "open"),
        ("off 12:00-13:00", "2026-11-26 12:30", "closed"),
        ("1 Nov-31 Dec 10:00-12:00", "2026-11-26 11:00", "open"),
    ]

    @Test("goes by what the value says", arguments: claims)
    func claim(value: String, moment: String, state: String) {
        #expect(Hours.state(value, moment) == state)
    }

    @Test(
        "what says too little or something else is not read",
        arguments: [
            "", " ", ";", "Mo-Fr 9-5", "Mo-Fr 9:00", "9-5pm", "by appointment", "Mo-Fr 25:00-26:70", "Jun 5-Aug",
            "Sa[7] 10:00-12:00", "\"", "(", "99999999999", "Mo-Fr 10:00-12:00 <b>", "week 0 10:00-12:00",
            "2030-2020 10:00-12:00",
        ])
    func unread(value: String) { #expect(OpeningHours(value) == nil) }

    @Test("what is too long, or asks too much, is not read")
    func bounds() {
        #expect(OpeningHours(String(repeating: "Mo,", count: 100) + "Tu 10:00-12:00") != nil)
        #expect(OpeningHours(String(repeating: "24/7;", count: 250)) == nil)
        #expect(OpeningHours(String(repeating: "easter,", count: 400) + "easter off") == nil)
    }

    @Test("without a calendar a holiday matters where the answer hangs on it, and nowhere else")
    func noCalendar() {
        let place = Hours.place(nil)
        #expect(Hours.state("Mo-Fr 09:00-18:00; PH off", "2026-11-26 12:00", place) == "unknown")
        #expect(Hours.state("Mo-Fr 09:00-18:00; PH off", "2026-11-26 20:00", place) == "closed")
        #expect(Hours.state("Mo-Fr,PH 09:00-18:00", "2026-11-26 12:00", place) == "open")
    }

    @Test("the remark of the rule that goes is given")
    func remark() throws {
        let hours = try #require(OpeningHours("Mo-Fr 09:00-18:00 || \"on call\""))
        let moment = hours.moment(at: Hours.instant("2026-11-28 12:00"), in: Hours.place())
        #expect(moment.rule.map { hours.comment(ofRule: $0) } == "on call")
    }

    @Test("the sun that never sets, and that never rises")
    func polar() {
        let north = HoursPlace(latitude: 69.65, longitude: 18.96, zone: ZoneRules(offset: 3600), holidays: nil)
        #expect(Hours.state("sunrise-sunset", "2026-06-21 01:00", north) == "open")
        #expect(Hours.state("sunrise-sunset", "2026-12-21 12:00", north) == "closed")
        #expect(Hours.state("sunset-sunrise", "2026-12-21 20:00", north) == "open")
    }
}
