/// Reads rules from tokens. Each step gives nil for what it can't read, and with it the value is not read.
struct HoursReader {
    private let tokens: [HoursToken]
    var at = 0

    init(_ tokens: [HoursToken]) { self.tokens = tokens }

    mutating func rules() -> [HoursRule]? {
        var rules: [HoursRule] = []
        var parts = 0
        var link = HoursRule.Link.normal
        while !isAtEnd {
            let start = at
            guard var rule = rule(), at > start else { return nil }
            rule.link = link
            parts += rule.partCount
            guard parts <= OpeningHours.mostParts else { return nil }
            rules.append(rule)
            guard let next = self.link(behind: rule) else { return nil }
            link = next
        }
        return rules.isEmpty ? nil : rules
    }

    // What stands between rules.

    private mutating func link(behind rule: HoursRule) -> HoursRule.Link? {
        if isAtEnd { return .normal }
        if take(sign: "|") { return isAtEnd ? nil : .fallback }
        if take(sign: ";") {
            while take(sign: ";") {}
            return take(sign: "|") ? .fallback : .normal
        }
        if take(sign: ",") { return .additional }
        if take(sign: "/") { return .normal }
        // "Mo-Fr 8:00-18:00 Sa 8:00-12:00"
        return rule.spans.isEmpty && rule.state == .open ? nil : .normal
    }

    private mutating func rule() -> HoursRule? {
        var rule = HoursRule()
        // "Summer": a remark before what it is about.
        if case .comment(let range) = peek(), peek(1) == .sign(UInt8(ascii: ":")) {
            rule.comment = range
            at += 2
        }
        guard readDays(&rule.days) else { return nil }
        let isState = peek() == .word(.off) || peek() == .word(.open) || peek() == .word(.unknown)
        let areHoursRead = rule.days.namesWeekdays || rule.days.namesHolidays || at == 0
        // "off 12:00-13:00"
        if isState { readState(&rule) }
        if !takeAlways() {
            guard let spans = spans(areHoursRead: areHoursRead && !isState) else { return nil }
            rule.spans = spans
        } else {
            _ = take(sign: ":")
        }
        if !isState { readState(&rule) }
        return rule
    }

    /// "24/7", "24 hours", "24h"
    private mutating func takeAlways() -> Bool {
        guard case .number(24, _) = peek() else { return false }
        if peek(1) == .sign(UInt8(ascii: "/")), case .number(7, _) = peek(2) {
            at += 3
            return true
        }
        guard peek(1) == .word(.hours) else { return false }
        at += 2
        return true
    }

    /// A remark alone says on what it depends, not that it is open.
    private mutating func readState(_ rule: inout HoursRule) {
        var isSaid = true
        switch peek() {
        case .word(.off): rule.state = .closed
        case .word(.open): rule.state = .open
        case .word(.unknown): rule.state = .unknown
        default: isSaid = false
        }
        if isSaid { at += 1 }
        guard case .comment(let range) = peek() else { return }
        at += 1
        rule.comment = range
        if !isSaid { rule.state = .unknown }
        // "Mo-Fr 10:00-12:00 "by appointment" open"
        if !isSaid, peek() == .word(.off) || peek() == .word(.open) || peek() == .word(.unknown) {
            let comment = rule.comment
            readState(&rule)
            rule.comment = comment
        }
    }

    // The tokens.

    var isAtEnd: Bool { at >= tokens.count }

    func peek(_ ahead: Int = 0) -> HoursToken? { at + ahead < tokens.count ? tokens[at + ahead] : nil }

    func isNext(_ sign: Unicode.Scalar, _ ahead: Int = 0) -> Bool {
        peek(ahead) == .sign(UInt8(ascii: sign))
    }

    mutating func take(sign: Unicode.Scalar) -> Bool {
        guard isNext(sign) else { return false }
        at += 1
        return true
    }

    mutating func take(word: HoursWord) -> Bool {
        guard peek() == .word(word) else { return false }
        at += 1
        return true
    }

    mutating func takeWeekday() -> Int? {
        guard case .weekday(let day) = peek() else { return nil }
        at += 1
        return day
    }

    mutating func takeMonth() -> Int? {
        guard case .month(let month) = peek() else { return nil }
        at += 1
        return month
    }

    /// A number of so many digits within bounds.
    mutating func takeNumber(_ bounds: ClosedRange<Int>, digits most: Int = 2) -> Int? {
        guard let number = number(0, bounds, digits: most) else { return nil }
        at += 1
        return number
    }

    func number(_ ahead: Int, _ bounds: ClosedRange<Int>, digits most: Int = 2) -> Int? {
        guard case .number(let number, let digits) = peek(ahead), digits <= most, bounds.contains(number) else {
            return nil
        }
        return number
    }

    /// "2027"
    func isYear(_ ahead: Int = 0) -> Bool {
        guard case .number(let number, 4) = peek(ahead) else { return false }
        return number >= 1900
    }
}
