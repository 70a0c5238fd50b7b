import Contracts
import Terminal

/// The end of an import for a person.
struct PinImportView {
    private static let shownBad = 20

    let outcome: PinFileImport.Outcome
    let isTrial: Bool

    /// What could not become a pin.
    var bad: [String] {
        let lines = outcome.bad.prefix(Self.shownBad).map { bad in
            // A part of the text has no number: its reason says where it is.
            let parts = [bad.fileName, bad.number > 0 ? "number \(bad.number)" : ""].filter { !$0.isEmpty }
            let place = parts.isEmpty ? "the file" : parts.joined(separator: ", ")
            return "\(place): \(bad.reason)".printable
        }
        let all = outcome.import.badCount + outcome.import.passedCount
        let rest = all - min(UInt64(lines.count), all)
        return lines + (rest > 0 ? ["… and \(rest) more"] : [])
    }

    /// "Summer.gpx: 310 pins added, 2 there before; 3 can't be read", and how it is taken back.
    var lines: [String] {
        let it = outcome.import
        var line = "\(it.fileName.printable): "
        if isTrial {
            line += Quantity.count(it.pinCount, "pin")
        } else {
            line += "\(Quantity.count(it.addedCount, "pin")) added"
            if it.knownCount > 0 { line += ", \(it.knownCount) there before" }
        }
        if it.trackCount > 0 { line += ", \(tracks)" }
        if it.listCount > 0 { line += ", in \(Quantity.count(it.listCount, "list"))" }
        if it.leftOutListCount > 0 { line += "; no room for \(Quantity.count(it.leftOutListCount, "list"))" }
        if it.badCount > 0 { line += "; \(it.badCount) can't be read" }
        if it.passedCount > 0 { line += "; \(Quantity.count(it.passedCount, "shape")) passed over" }
        if it.shortenedCount > 0 { line += "; \(Quantity.count(it.shortenedCount, "note")) cut off" }
        var lines = [line]
        if it.unplacedCount > 0 {
            let isOne = it.unplacedCount == 1
            let entries =
                isOne ? "1 entry does not say where it is" : "\(it.unplacedCount) entries do not say where they are"
            lines.append("\(entries); waymark pin unplaced shows where \(isOne ? "it" : "they") may be")
        }
        if !isTrial, it.addedCount + it.unplacedCount + it.addedTrackCount > 0 {
            lines.append("waymark pin undo \(it.id) takes it back")
        }
        return lines
    }

    /// "2 tracks added, 1 there before".
    private var tracks: String {
        let it = outcome.import
        if isTrial { return Quantity.count(it.trackCount, "track") }
        let known = it.trackCount - min(it.addedTrackCount, it.trackCount)
        return "\(Quantity.count(it.addedTrackCount, "track")) added" + (known > 0 ? ", \(known) there before" : "")
    }
}
