/// What goes at a moment: the state, and the rule that says so.
package struct HoursMoment: Equatable, Sendable {
    package let state: HoursState
    /// The rule's index, for its remark; nil where no rule says anything.
    package let rule: Int?
}

/// A night belongs to its evening: what a later rule says of a day leaves the hours after midnight alone that the day
/// before has, unless it names hours of its own there. That holidays are not known matters only where the answer hangs
/// on them: it is asked for both, and is unknown where these differ.
extension OpeningHours {
    /// Seconds since 1970 that are asked for: the years 1900 to 2200.
    package static let instants = Int64(-2_208_988_800)...Int64(7_258_118_400)

    /// What goes at an instant, in seconds since 1970.
    package func moment(at seconds: Int64, in place: HoursPlace) -> HoursMoment {
        moment(at: Self.local(seconds, place), in: place)
    }

    static func local(_ seconds: Int64, _ place: HoursPlace) -> LocalMinute {
        LocalMinute(min(max(seconds, instants.lowerBound), instants.upperBound), in: place.zone)
    }

    func moment(at time: LocalMinute, in place: HoursPlace) -> HoursMoment {
        let today = CivilDay(time.day)
        var guess = HolidayGuess(calendar: place.holidays)
        let first = moment(at: time, today, place, guess)
        guard asksPublicHolidays || asksSchoolHolidays else { return first }
        let isPublicUnknown = asksPublicHolidays && mayBeHoliday(around: today.number, guess)
        for isPublic in isPublicUnknown ? [false, true] : [false] {
            for isOfSchools in asksSchoolHolidays ? [false, true] : [false] where isPublic || isOfSchools {
                guess.isUnknownPublic = isPublic
                guess.isSchoolHoliday = isOfSchools
                let other = moment(at: time, today, place, guess)
                if other.state != first.state { return HoursMoment(state: .unknown, rule: nil) }
            }
        }
        return first
    }

    private func mayBeHoliday(around day: Int, _ guess: HolidayGuess) -> Bool {
        rules.contains { rule in
            rule.days.publicHolidays.contains { guess.isUnknown(day - $0) || guess.isUnknown(day - 1 - $0) }
        }
    }

    private func moment(
        at time: LocalMinute, _ today: CivilDay, _ place: HoursPlace, _ guess: HolidayGuess
    ) -> HoursMoment {
        let own = verdict(on: today, time.ofDay, place, guess)
        if !reachesTomorrow { return own.moment(self) }
        if let state = own.state, !own.isFallback, state != .closed || own.isOfHours { return own.moment(self) }
        let night = verdict(on: CivilDay(today.number - 1), time.ofDay + HoursSpan.day, place, guess)
        if let state = night.state, state != .closed, !night.isFallback || own.state == nil {
            return night.moment(self)
        }
        return own.moment(self)
    }

    /// What the rules of a day say of one of its minutes, which may be on the day after.
    private struct Verdict {
        var state: HoursState?
        var rule: Int?
        /// Whether the rule that says so names hours.
        var isOfHours = false
        var isFallback = false

        func moment(_ hours: OpeningHours) -> HoursMoment {
            HoursMoment(state: state ?? (hours.isOtherwiseUnknown ? .unknown : .closed), rule: rule)
        }
    }

    private func verdict(
        on day: CivilDay, _ minute: Int, _ place: HoursPlace, _ guess: HolidayGuess
    ) -> Verdict {
        var verdict = Verdict()
        for index in rules.indices where rules[index].days.holds(day, guess) {
            let rule = rules[index]
            if rule.link == .fallback, let state = verdict.state, state != .closed { continue }
            let covered = rule.covered(minute, on: day.number, place)
            if let covered {
                verdict = Verdict(
                    state: covered, rule: index, isOfHours: !rule.spans.isEmpty, isFallback: rule.link == .fallback)
            } else if rule.link == .normal, rule.state != .closed {
                // It stands in for all that was said of the day.
                verdict = Verdict()
            }
        }
        return verdict
    }
}

extension HoursRule {
    /// What it says of a minute of a day of its own; nil for nothing.
    fileprivate func covered(_ minute: Int, on day: Int, _ place: HoursPlace) -> HoursState? {
        if spans.isEmpty { return minute < HoursSpan.day ? state : nil }
        var isOpenEnd = false
        for span in spans {
            let cover = span.fixed ?? span.cover { place.minute(of: $0, on: day) }
            guard minute >= cover.start, minute < cover.openEnd else { continue }
            if minute < cover.end { return state }
            isOpenEnd = true
        }
        return isOpenEnd ? (state == .closed ? .closed : .unknown) : nil
    }
}
