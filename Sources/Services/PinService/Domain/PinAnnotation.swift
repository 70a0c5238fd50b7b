import Contracts
import Refusals

/// What a pin's owner keeps with it, already validated.
struct PinAnnotation: Equatable, Sendable {
    /// Nil for what stays as it is, empty for nothing.
    let note: String?
    let visitedDay: String?

    /// The longest note.
    static let mostCharacters = AnnotatePinRequest.noteLength.upperBound

    init(_ request: AnnotatePinRequest) throws(Refusal) {
        note = try request.note.map(Self.note)
        visitedDay = try request.visitedDate.map(Self.day)
    }

    /// The pin with it.
    func applied(to pin: Pin) -> Pin {
        var pin = pin
        pin.note = note ?? pin.note
        pin.visitedDay = visitedDay ?? pin.visitedDay
        pin.importedBy = ""
        return pin
    }

    /// A text with lines, without the white space around it.
    static func note(_ given: String) throws(Refusal) -> String {
        let scalars = given.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        let (text, most) = (scalars[first...last], mostCharacters)
        guard text.count <= most else {
            throw Refusal("note", text.count, "characters", allowed: "at most \(most) are")
        }
        let isLines = text.allSatisfy {
            (" "..."~").contains($0) || "\t\n\r".unicodeScalars.contains($0)
                || $0.properties.generalCategory != .control
        }
        guard isLines else { throw Refusal("note", "a control character", allowed: "lines of text are") }
        return String(text)
    }

    /// A day of the calendar after ISO 8601, as it is written.
    static func day(_ text: String) throws(Refusal) -> String {
        guard text.isEmpty || isDay(text) else {
            throw Refusal("visited_date", text: text, allowed: "a day is, as 2026-05-04, or nothing")
        }
        return text
    }

    private static func isDay(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.joined().allSatisfy({ (0x30...0x39).contains($0) }),
            let year = Int(text.prefix(4)), let month = Int(text.dropFirst(5).prefix(2)), let day = Int(text.suffix(2))
        else { return false }
        let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...12).contains(month) && (1...days[month - 1]).contains(day)
    }
}
