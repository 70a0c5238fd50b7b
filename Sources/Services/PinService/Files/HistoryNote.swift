import Bytes
import FeatureFiles

/// What an import wrote of a place of a phone's history: an address, and the days of visits, as
/// "2024-05-02, 2024-04-30, … (37)". Nothing that its owner wrote.
struct HistoryNote: Equatable, Sendable {
    var note: String
    /// The last day of a visit; empty where none is known.
    var visitedDay: String

    /// With the days that another import says. The one that knows the later day comes first; of the other follow the
    /// days that the first doesn't have. So it is the same however often one of them comes again. What is too long
    /// for a note loses the oldest days.
    func joined(with other: HistoryNote) -> HistoryNote {
        let (later, earlier) = other.visitedDay > visitedDay ? (other, self) : (self, other)
        let known = later.days
        var lines = later.lines
        for line in earlier.lines where !lines.contains(where: { $0.isSame(as: line) }) {
            let words = Self.words(line)
            guard words.contains(where: { Self.day($0) != nil }) else {
                lines.append(line)
                continue
            }
            let left = words.filter { word in Self.day(word).map { !known.contains($0) } ?? true }
            if left.contains(where: { Self.day($0) != nil }) { lines.append(left.joined(separator: ", ")) }
        }
        // Of a single visit the note says nothing.
        let day = earlier.visitedDay
        if !day.isEmpty, !known.contains(day), !lines.contains(where: { $0.holds(day) }) { lines.append(day) }
        return HistoryNote(
            note: lines.joined(separator: "\n").cut(to: PinAnnotation.maximumCharacters), visitedDay: later.visitedDay)
    }

    private var lines: [String] { note.split(at: "\n").map { String($0) } }

    private var days: Set<String> {
        Set(lines.flatMap { Self.words($0).compactMap { Self.day($0) } } + [visitedDay])
    }

    private static func words(_ line: String) -> [String] { line.split(at: ",").map { String($0.trimmed) } }

    /// The day of "2024-05-02" and of "2024-05-02 (3)"; nil for other words.
    private static func day(_ word: String) -> String? {
        let day = String(word.unicodeScalars.prefix(10))
        return FileTime.milliseconds(day) == nil ? nil : day
    }
}
