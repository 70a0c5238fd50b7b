/// Reads at which times of a day a rule goes.
extension HoursReader {
    private static let day = HoursSpan.day
    private static let noon = 720

    /// None where no time stands. Hours without minutes, "Sa 10-18", are read where they can't be days of a month.
    mutating func spans(areHoursRead: Bool) -> [HoursSpan]? {
        var spans: [HoursSpan] = []
        while startsSpan(0, areHoursRead: areHoursRead) {
            guard let span = span(areHoursRead) else { return nil }
            spans.append(span)
            // Behind a comma another rule may begin as well.
            guard isNext(","), startsSpan(1, areHoursRead: areHoursRead) else { break }
            at += 1
        }
        return spans
    }

    func startsSpan(_ ahead: Int, areHoursRead: Bool) -> Bool {
        switch peek(ahead) {
        case .time, .word(.dawn), .word(.sunrise), .word(.sunset), .word(.dusk): return true
        case .sign(UInt8(ascii: "(")): return true
        case .number(let hour, 1...2):
            if peek(ahead + 1) == .word(.morning) || peek(ahead + 1) == .word(.afternoon) { return true }
            return areHoursRead && hour <= 48 && !(hour == 24 && isNext("/", ahead + 1))
        default: return false
        }
    }

    private mutating func span(_ areHoursRead: Bool) -> HoursSpan? {
        guard let start = time(areHoursRead), start.time.event != nil || start.time.minutes < Self.day else {
            return nil
        }
        if take(sign: "+") { return HoursSpan(start: start.time, end: nil, isOpenEnd: true) }
        guard take(sign: "-") else { return nil }
        // "16:00-" is how some write "16:00+".
        if take(word: .late) || isAtEnd || isNext(",") || isNext(";") || isNext("|") {
            return HoursSpan(start: start.time, end: nil, isOpenEnd: true)
        }
        guard let end = time(areHoursRead) else { return nil }
        // "9-5 pm" may begin in the morning or in the evening; "9-5" ends in the afternoon, not at night as the grammar
        // has it.
        if end.isOfHalf, !start.isOfHalf, end.time.minutes > Self.noon, start.time.minutes < Self.noon { return nil }
        if end.isBare, start.time.event == nil, end.time.event == nil, end.time.minutes <= start.time.minutes,
            end.time.minutes > 0, end.time.minutes < Self.noon
        {
            return nil
        }
        let span = HoursSpan(start: start.time, end: end.time, isOpenEnd: take(sign: "+"))
        return skipInterval() ? span : nil
    }

    /// "10:00-16:00/01:30": points in time within a span.
    private mutating func skipInterval() -> Bool {
        guard isNext("/") else { return true }
        switch peek(1) {
        case .time, .number: at += 2
        default: break
        }
        return true
    }

    /// A time; whether it is one of the morning or of the afternoon, and an hour of one digit.
    private mutating func time(_ areHoursRead: Bool) -> (time: HoursTime, isOfHalf: Bool, isBare: Bool)? {
        switch peek() {
        case .time(let minutes):
            at += 1
            return half(minutes, isBare: false)
        case .number(let hour, let digits):
            let isHalf = peek(1) == .word(.morning) || peek(1) == .word(.afternoon)
            guard areHoursRead || isHalf, digits <= 2, hour <= 48 else { return nil }
            at += 1
            return half(hour * 60, isBare: true)
        case .sign(UInt8(ascii: "(")): return shifted().map { ($0, false, false) }
        default:
            guard let event = takeEvent() else { return nil }
            guard isNext("+"), case .time(let shift) = peek(1) else {
                return (HoursTime(minutes: 0, event: event), false, false)
            }
            at += 2
            return (HoursTime(minutes: shift, event: event), false, false)
        }
    }

    /// "8:30 pm", "8 Uhr"
    private mutating func half(_ minutes: Int, isBare: Bool) -> (HoursTime, Bool, Bool)? {
        if take(word: .hours) { return (HoursTime(minutes: minutes), false, isBare) }
        let isMorning = take(word: .morning)
        guard isMorning || take(word: .afternoon) else { return (HoursTime(minutes: minutes), false, isBare) }
        guard minutes < 13 * 60 else { return nil }
        let ofHalf = minutes >= Self.noon ? minutes - Self.noon : minutes
        return (HoursTime(minutes: isMorning ? ofHalf : ofHalf + Self.noon), true, false)
    }

    private mutating func takeEvent() -> Sun.Event? {
        let events: [(HoursWord, Sun.Event)] = [
            (.dawn, .dawn), (.sunrise, .sunrise), (.sunset, .sunset), (.dusk, .dusk),
        ]
        for (word, event) in events where take(word: word) { return event }
        return nil
    }

    /// "(sunset-00:30)"
    private mutating func shifted() -> HoursTime? {
        guard take(sign: "("), let event = takeEvent() else { return nil }
        if take(sign: ")") { return HoursTime(minutes: 0, event: event) }
        let isBefore = isNext("-")
        guard isBefore || isNext("+") else { return nil }
        at += 1
        guard case .time(let shift) = peek() else { return nil }
        at += 1
        guard take(sign: ")") else { return nil }
        return HoursTime(minutes: isBefore ? -shift : shift, event: event)
    }
}
