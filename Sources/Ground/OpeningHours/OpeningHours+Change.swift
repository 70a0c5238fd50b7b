/// When something else goes, and the spans of days.
extension OpeningHours {
    /// Moments that are looked at for one answer, so that none takes long.
    private static let mostMoments = 1500

    /// The next change of the state.
    package struct Change: Equatable, Sendable {
        /// Seconds since 1970.
        package let time: Int64
        package let state: HoursState
    }

    /// A span of one state within a day, in minutes since the day's beginning by the clock there.
    package struct Span: Equatable, Sendable {
        package let start: Int
        package let end: Int
        package let moment: HoursMoment
    }

    /// The first change behind an instant within so many days; nil where there is none, or it isn't found.
    package func change(after seconds: Int64, in place: HoursPlace, days: Int = 14) -> Change? {
        let start = Self.local(seconds, place)
        let now = moment(at: start, in: place).state
        var left = Self.mostMoments
        for day in start.day...start.day + max(0, days) {
            for minute in edges(of: day, place) where day * HoursSpan.day + minute > start.minutes {
                left -= 1
                guard left > 0 else { return nil }
                let time = LocalMinute(day * HoursSpan.day + minute)
                let state = moment(at: time, in: place).state
                if state != now {
                    return Change(time: place.zone.instant(ofLocal: Int64(time.minutes) * 60), state: state)
                }
            }
        }
        return nil
    }

    /// What goes on a day, counted from 1970, without gaps; nil for a value that asks too much.
    func spans(of day: Int, in place: HoursPlace) -> [Span]? {
        let edges = edges(of: day, place)
        guard edges.count <= Self.mostMoments / 8 else { return nil }
        var spans: [Span] = []
        for (index, edge) in edges.enumerated() {
            let end = index + 1 < edges.count ? edges[index + 1] : HoursSpan.day
            let moment = moment(at: LocalMinute(day * HoursSpan.day + edge), in: place)
            if let last = spans.last, last.moment == moment {
                spans[spans.count - 1] = Span(start: last.start, end: end, moment: moment)
            } else {
                spans.append(Span(start: edge, end: end, moment: moment))
            }
        }
        return spans
    }

    /// The day of an instant by the clock there, counted from 1970.
    package func day(of seconds: Int64, in place: HoursPlace) -> Int { Self.local(seconds, place).day }

    /// The minutes of a day at which something may change, ascending.
    private func edges(of day: Int, _ place: HoursPlace) -> [Int] {
        var edges = [0]
        func add(_ minute: Int) {
            if minute > 0, minute < HoursSpan.day { edges.append(minute) }
        }
        for rule in rules {
            for span in rule.spans {
                let cover = span.fixed ?? span.cover { place.minute(of: $0, on: day) }
                for edge in [cover.start, cover.end, cover.openEnd] { add(edge) }
                guard span.reachesTomorrow else { continue }
                let before = span.fixed ?? span.cover { place.minute(of: $0, on: day - 1) }
                for edge in [before.start, before.end, before.openEnd] { add(edge - HoursSpan.day) }
            }
        }
        edges.sort()
        return edges.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
}
