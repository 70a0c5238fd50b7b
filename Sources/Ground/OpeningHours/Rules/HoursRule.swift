/// One rule of a value: on which days, at which times, what goes.
struct HoursRule: Sendable {
    /// How it stands to those before it.
    enum Link: Sendable {
        /// ";" replaces what earlier rules say of its days.
        case normal
        /// "," adds to it.
        case additional
        /// "||" is for when those before are closed.
        case fallback
    }

    var link: Link = .normal
    var days = DaySelector()
    /// None: the whole day.
    var spans: [HoursSpan] = []
    var state: HoursState = .open
    var comment: Range<Int>?

    var partCount: Int { days.partCount + spans.count + 1 }
}
