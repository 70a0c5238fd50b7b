import OpeningHours
import PlaceContracts
import Wire

/// Says of places what their hours are at a moment.
struct HoursAnswer: Sendable {
    /// Seconds since 1970.
    let seconds: Int64
    let tables: HoursTables
    /// Whether the days of a week are given too.
    let hasDays: Bool

    /// Nil when the place has no hours.
    func hours(of place: Place) -> PlaceHours? {
        guard let value = OpenCondition.value(of: place) else { return nil }
        var answer = PlaceHours(state: .unknown)
        guard let hours = OpeningHours(value), let point = place.point, let there = tables.place(at: point) else {
            return answer
        }
        let moment = hours.moment(at: seconds, in: there.place)
        answer.state = OpenState(moment.state)
        answer.remark = hours.remark(of: moment)
        answer.timeZone = there.zone
        answer.read = true
        if let change = hours.change(after: seconds, in: there.place) {
            answer.changeTime = TimestampMessage(unixSeconds: change.time)
            answer.nextState = OpenState(change.state)
        }
        guard hasDays else { return answer }
        let today = hours.day(of: seconds, in: there.place)
        answer.days = (hours.week(from: today, in: there.place) ?? []).map { spans in
            OpenDay(spans: spans.map { OpenSpan($0, hours) })
        }
        return answer
    }
}

extension OpeningHours {
    fileprivate func remark(of moment: HoursMoment) -> String { moment.rule.map { comment(ofRule: $0) } ?? "" }
}

extension OpenSpan {
    fileprivate init(_ span: OpeningHours.Span, _ hours: OpeningHours) {
        self.init(
            startMinute: UInt32(clamping: span.start), endMinute: UInt32(clamping: span.end),
            state: OpenState(span.moment.state), remark: hours.remark(of: span.moment))
    }
}

extension OpenState {
    init(_ state: HoursState) {
        self =
            switch state {
            case .open: .open
            case .closed: .closed
            case .unknown: .unknown
            }
    }
}
