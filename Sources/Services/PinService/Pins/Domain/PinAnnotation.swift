import PinContracts
import FieldRules

/// What a pin's owner keeps with it, already validated.
struct PinAnnotation: Equatable, Sendable {
    /// Nil for what stays as it is, empty for nothing.
    let note: String?
    let visitedDay: String?

    /// The longest note.
    static let maximumCharacters = AnnotatePinRequest.noteLength.upperBound

    init(_ request: AnnotatePinRequest) {
        note = request.note.map { String(FieldText.trimmed($0)) }
        visitedDay = request.visitedDate
    }

    /// The pin with it.
    func applied(to pin: Pin) -> Pin {
        var pin = pin
        pin.note = note ?? pin.note
        pin.visitedDay = visitedDay ?? pin.visitedDay
        pin.importedBy = ""
        return pin
    }
}
