import FeatureFiles
import JSONStream

/// A file of where a phone was. Reads a piece of the text at a time, so that memory does not grow with the file: such
/// files are often a gigabyte.
final class TimelineSource: PinSource {
    private static let pieceBytes = 64 << 10
    /// A single value that is longer ends the reading. It is looked through again with each piece of it, so that long
    /// ones would cost more than their bytes; those of such files have a few hundred.
    private static let longestValue: UInt64 = 256 << 10

    private let text: TextSource
    private let timeline: Timeline
    /// Whether the places come at the end of this file, and not at that of an archive.
    private let isAlone: Bool
    private let visitor = TimelineVisitor()
    private var events: JSONEvents
    private var piece = [UInt8](repeating: 0, count: TimelineSource.pieceBytes)
    private var items: ArraySlice<PinFileItem> = []
    private var (readBytes, bytesAtEvent, eventsBefore): (UInt64, UInt64, UInt64) = (0, 0, 0)
    private var countedEvents: UInt64 = 0
    private var isAtEnd = false

    /// - Parameter timeline: that of an archive; nil for a file by itself.
    init(_ text: TextSource, _ timeline: Timeline? = nil) {
        self.text = text
        self.timeline = timeline ?? Timeline()
        isAlone = timeline == nil
        events = JSONEvents(visitor)
    }

    func next() throws(SourceError) -> PinFileItem? {
        while items.isEmpty {
            if isAtEnd { return isAlone ? timeline.next() : nil }
            try readOn()
        }
        return items.popFirst()
    }

    private func readOn() throws(SourceError) {
        let count = try text.fill(&piece)
        readBytes += UInt64(count)
        isAtEnd = count == 0
        let isRight = isAtEnd ? events.finish() : feed(count)
        timeline.count(events: visitor.events - countedEvents)
        countedEvents = visitor.events
        items = visitor.takeEntries().flatMap { timeline.add($0) }[...]
        if !isRight {
            try breakOff()
        } else if let reason = timeline.fullness {
            isAtEnd = true
            items.append(PinFileItem(number: 0, content: .bad("\(reason); what follows is left out")))
        } else if isAtEnd {
            guard visitor.hasList else { throw .bad("it has no list of visits and ways") }
            if let doubt = text.doubt { items.append(PinFileItem(number: 0, content: .bad(doubt.description))) }
        } else {
            try refuseEndlessValue()
        }
    }

    private func feed(_ count: Int) -> Bool {
        unsafe piece.withUnsafeBytes { bytes in unsafe events.feed(UnsafeRawBufferPointer(rebasing: bytes[..<count])) }
    }

    /// The text can't be read any further: what was whole is kept.
    private func breakOff() throws(SourceError) {
        let problem = visitor.failure ?? events.problem
        guard visitor.count > 0 else { throw .bad("it is no JSON within its first \(readBytes) bytes: \(problem)") }
        isAtEnd = true
        let reason = "entry \(visitor.count + 1) can't be read: \(problem); it and what follows are left out"
        items.append(PinFileItem(number: 0, content: .bad(reason)))
    }

    private func refuseEndlessValue() throws(SourceError) {
        if visitor.events != eventsBefore { (eventsBefore, bytesAtEvent) = (visitor.events, readBytes) }
        guard readBytes - bytesAtEvent <= Self.longestValue else {
            throw .bad("it contains a single value of more than \(Self.longestValue) bytes")
        }
    }
}
