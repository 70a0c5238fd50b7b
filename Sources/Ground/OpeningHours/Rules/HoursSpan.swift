/// A point in time of a day, fixed or by the sun.
struct HoursTime: Equatable, Sendable {
    /// Since midnight, or since the event.
    var minutes: Int
    var event: Sun.Event?
}

/// A span of time that begins on a day, and may end on the next.
struct HoursSpan: Equatable, Sendable {
    static let day = 1440
    /// An open end is over at six in the morning at the latest.
    private static let morning = day + 360

    var start: HoursTime
    /// Nil for "18:00+".
    var end: HoursTime?
    var isOpenEnd = false

    /// What is covered of a day, in minutes since its beginning: `sure`, and behind it what an open end may add.
    struct Cover {
        var start: Int
        var end: Int
        var openEnd: Int
    }

    /// Known without the sun.
    var fixed: Cover? {
        guard start.event == nil, end?.event == nil else { return nil }
        return Self.cover(start.minutes, end?.minutes, isOpenEnd)
    }

    var reachesTomorrow: Bool { fixed.map { $0.openEnd > Self.day } ?? true }

    /// `minute` gives the time of an event on the day.
    func cover(_ minute: (Sun.Event) -> Int) -> Cover {
        func resolved(_ time: HoursTime) -> Int { (time.event.map(minute) ?? 0) + time.minutes }
        // Where the sun does not rise there is nothing between its rise and its setting.
        let isOfLight = start.event?.isMorning == true && end?.event?.isMorning == false
        return Self.cover(resolved(start), end.map(resolved), isOpenEnd, isEmptyWhenSame: isOfLight)
    }

    private static func cover(
        _ start: Int, _ end: Int?, _ isOpenEnd: Bool, isEmptyWhenSame: Bool = false
    ) -> Cover {
        // An end before the beginning is on the next day.
        var sure = end ?? day
        if sure < start || sure == start && !isEmptyWhenSame { sure += day }
        let latest = sure < day ? day : max(sure, morning)
        return Cover(start: start, end: sure, openEnd: isOpenEnd ? latest : sure)
    }
}
