extension OpeningHours {
    /// A night that ends by then belongs to its evening.
    private static let noon = 720

    /// What goes on so many days from one on, counted from 1970: for each the spans that are not plainly closed. One
    /// that goes on past midnight has its end beyond 1440. Nil for a value that asks too much.
    package func week(from day: Int, count: Int = 7, in place: HoursPlace) -> [[Span]]? {
        var days: [[Span]] = []
        let seconds = Int64(clamping: day).multipliedReportingOverflow(by: 86_400)
        guard count > 0, !seconds.overflow, Self.instants.contains(seconds.partialValue) else { return nil }
        for number in day...day + count {
            guard let spans = spans(of: number, in: place) else { return nil }
            days.append(spans)
        }
        for index in 0..<count {
            guard let last = days[index].last, last.end == HoursSpan.day, last.start > 0,
                let night = days[index + 1].first, night.moment == last.moment, night.end <= Self.noon
            else { continue }
            days[index][days[index].count - 1] = Span(
                start: last.start, end: HoursSpan.day + night.end, moment: last.moment)
            days[index + 1].removeFirst()
        }
        // The night before the first day is its evening's too.
        if let first = days[0].first, first.end <= Self.noon, reachesTomorrow,
            let before = spans(of: day - 1, in: place)?.last, before.moment == first.moment, before.start > 0
        {
            days[0].removeFirst()
        }
        return days.prefix(count).map {
            $0.filter { $0.moment.state != .closed || $0.moment.rule != nil && isSaid($0) }
        }
    }

    /// Whether a rule says something of a closed span besides.
    private func isSaid(_ span: Span) -> Bool {
        span.moment.rule.map { rules[$0].comment != nil } ?? false
    }
}
