/// Where hours go: for the clock, the sun and the holidays.
package struct HoursPlace: Sendable {
    package var latitude: Double
    package var longitude: Double
    package var zone: ZoneRules
    /// Nil: which days are holidays is not known.
    package var holidays: HolidayCalendar?

    package init(latitude: Double, longitude: Double, zone: ZoneRules, holidays: HolidayCalendar? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.zone = zone
        self.holidays = holidays
    }

    /// When the sun does something on a day, in minutes since the day's beginning there.
    func minute(of event: Sun.Event, on day: Int) -> Int {
        let minute = Sun(latitude: latitude, longitude: longitude).minute(of: event, on: day)
        return minute + zone.offset(at: Int64(minute) * 60) / 60 - day * HoursSpan.day
    }
}

/// A minute by the clock of a place, since 1970.
struct LocalMinute: Comparable, Sendable {
    let minutes: Int

    init(_ minutes: Int) { self.minutes = minutes }

    init(_ seconds: Int64, in zone: ZoneRules) {
        let local = Int(seconds) + zone.offset(at: seconds)
        minutes = local >= 0 ? local / 60 : (local - 59) / 60
    }

    var day: Int { minutes >= 0 ? minutes / HoursSpan.day : (minutes - HoursSpan.day + 1) / HoursSpan.day }
    var ofDay: Int { minutes - day * HoursSpan.day }

    static func < (one: LocalMinute, other: LocalMinute) -> Bool { one.minutes < other.minutes }
}
