internal import Bytes
internal import Refusals

/// Splits a file into records and these into fields: RFC 4180 with quotes, or plain tab-separated without.
///
/// The buffer holds whole records; a record that is not complete yet is moved to the front before more is read. After
/// a broken record reading continues with the next line, so that a stray quote costs a row and not the file.
package struct DelimitedText: ~Copyable {
    /// Where a field lies in the buffer.
    package struct Field {
        package var start: Int
        package var end: Int
        /// Whether it holds quotes written twice.
        var isEscaped = false
    }

    package enum Event: Equatable {
        case record(line: UInt64)
        case broken(line: UInt64, RowProblem)
    }

    private enum Scan {
        case record(next: Int, lines: UInt64)
        case needsMore
        case broken(String)
    }

    /// Longest record in bytes.
    package static let longestRecord = 256 << 10
    private static let bufferBytes = 1 << 20
    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private let source: any ByteSource
    package private(set) var separator: UInt8
    private let hasQuotes: Bool
    /// What ends a line: a line feed, or what Macs had before, where a text has no line feed.
    private var newline = DelimitedText.lineFeed
    private var buffer = [UInt8](repeating: 0, count: DelimitedText.bufferBytes)
    private var start = 0
    private var end = 0
    private var isAtEnd = false
    private var line: UInt64 = 1
    /// What is given once the rest of the current line is passed over.
    private var skipping: Event?
    /// The fields of the current record.
    package private(set) var fields: [Field] = []

    /// Fields are separated by the one of these bytes that the first line has most of, the first of them where it has
    /// none.
    package init(_ source: any ByteSource, separators: [UInt8], hasQuotes: Bool) throws(SourceError) {
        self.source = source
        self.hasQuotes = hasQuotes
        separator = separators.first ?? UInt8(ascii: ",")
        while !buffer[..<end].contains(Self.lineFeed), !isAtEnd, end < Self.longestRecord { try fill() }
        // A byte order mark is no part of the first column's name.
        if end >= 3, buffer[..<3] == [0xef, 0xbb, 0xbf] { start = 3 }
        if !buffer[..<end].contains(Self.lineFeed), buffer[..<end].contains(Self.carriageReturn) {
            newline = Self.carriageReturn
        }
        separator = Self.commonest(separators, in: buffer[start..<end], newline, hasQuotes)
        takeSeparatorLine(separators)
    }

    /// Excel's first line "sep=;", which says what separates.
    private mutating func takeSeparatorLine(_ separators: [UInt8]) {
        let mark = Array("sep=".utf8)
        let first = buffer[start..<end].prefix { $0 != newline }
        guard first.starts(with: mark), first.count >= mark.count + 1 else { return }
        let sign = first[first.startIndex + mark.count]
        let rest = first.dropFirst(mark.count + 1)
        guard separators.contains(sign), rest.allSatisfy({ $0 == Self.carriageReturn }) else { return }
        separator = sign
        start = min(end, first.endIndex + 1)
        line += 1
    }

    /// The separator that the first line has most of, outside of quotes.
    private static func commonest(
        _ separators: [UInt8], in bytes: ArraySlice<UInt8>, _ newline: UInt8, _ hasQuotes: Bool
    ) -> UInt8 {
        var counts = [Int](repeating: 0, count: separators.count)
        var isQuoted = false
        for byte in bytes {
            if byte == newline, !isQuoted { break }
            if byte == quote, hasQuotes { isQuoted.toggle() }
            if !isQuoted, let index = separators.firstIndex(of: byte) { counts[index] += 1 }
        }
        let most = counts.indices.reduce(0) { counts[$1] > counts[$0] ? $1 : $0 }
        return separators.indices.contains(most) ? separators[most] : UInt8(ascii: ",")
    }

    /// The next record, whose fields can be read until the one after it; nil at the end. Empty lines are skipped.
    package mutating func next() throws(SourceError) -> Event? {
        while true {
            if let event = skipping { return try skipRest(event) }
            if start == end, isAtEnd { return nil }
            switch scan() {
            case .record(let next, let lines):
                let first = line
                line += lines
                start = next
                if fields.count == 1, fields[0].start == fields[0].end, next > fields[0].end { continue }
                return .record(line: first)
            case .needsMore where end - start >= Self.longestRecord:
                return try skipLine("the row is longer than \(Self.longestRecord) bytes")
            case .needsMore: try fill()
            case .broken(let reason): return try skipLine(reason)
            }
        }
    }

    /// A field's text.
    package func text(_ field: Int) throws(RowProblem) -> String {
        let place = fields[field]
        if place.isEscaped { return try Self.text(Self.unescaped(Array(buffer[place.start..<place.end])).span, field) }
        return try Self.text(buffer.span.extracting(place.start..<place.end), field)
    }

    /// A field's number; nil when it is none.
    package func number(_ field: Int) -> Double? {
        let place = fields[field]
        return DecimalNumber.parse(buffer.span.extracting(place.start..<place.end))
    }

    /// The text of a field, empty for one that the record lacks.
    package func textIfAny(_ field: Int) throws(RowProblem) -> String {
        fields.indices.contains(field) ? try text(field) : ""
    }

    package func isEmpty(_ field: Int) -> Bool { fields[field].start == fields[field].end }

    private static func text(_ bytes: Span<UInt8>, _ field: Int) throws(RowProblem) -> String {
        guard let text = try? UTF8Span(validating: bytes) else {
            // Shown as Latin-1, which old tables mostly are, so that it is recognized.
            let shown = String(String.UnicodeScalarView(bytes.indices.map { Unicode.Scalar(bytes[$0]) })).quoted
            throw RowProblem("field \(field + 1), \(shown), is not in UTF-8; save the table as UTF-8")
        }
        return String(copying: text).streamSafe
    }

    private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var isSecond = false
        for byte in bytes {
            isSecond = byte == quote && !isSecond
            if !isSecond { plain.append(byte) }
        }
        return plain
    }
}

// MARK: finding the end of a record

extension DelimitedText {
    private mutating func scan() -> Scan {
        fields.removeAll(keepingCapacity: true)
        var at = start
        var lines: UInt64 = 1
        while true {
            let isQuoted = hasQuotes && at < end && buffer[at] == Self.quote
            if let stop = isQuoted ? scanQuoted(&at, &lines) : scanPlain(&at) { return stop }
            if at == end { return isAtEnd ? .record(next: end, lines: lines) : .needsMore }
            switch buffer[at] {
            case separator: at += 1
            case newline: return .record(next: at + 1, lines: lines)
            case Self.carriageReturn where at + 1 == end: return isAtEnd ? .record(next: end, lines: lines) : .needsMore
            case Self.carriageReturn where buffer[at + 1] == newline: return .record(next: at + 2, lines: lines)
            default: return .broken("field \(fields.count) continues after its closing quote")
            }
        }
    }

    /// A field up to the next separator or line end.
    private mutating func scanPlain(_ at: inout Int) -> Scan? {
        let first = at
        var stop = at
        do {
            let bytes = buffer.span
            while stop < end, bytes[stop] != separator, bytes[stop] != newline { stop += 1 }
        }
        at = stop
        if stop == end, !isAtEnd { return .needsMore }
        let endsRecord = stop == end || buffer[stop] == newline
        if endsRecord, stop > first, buffer[stop - 1] == Self.carriageReturn { stop -= 1 }
        fields.append(Field(start: first, end: stop))
        return nil
    }

    /// A field up to its closing quote; quotes written twice belong to it.
    private mutating func scanQuoted(_ at: inout Int, _ lines: inout UInt64) -> Scan? {
        var field = Field(start: at + 1, end: at + 1)
        var stop = at + 1
        while stop < end {
            let byte = buffer[stop]
            if byte == newline { lines += 1 }
            if byte == Self.quote {
                if stop + 1 == end, !isAtEnd { return .needsMore }
                guard stop + 1 < end, buffer[stop + 1] == Self.quote else { break }
                field.isEscaped = true
                stop += 1
            }
            stop += 1
        }
        if stop == end { return isAtEnd ? .broken("field \(fields.count + 1) has no closing quote") : .needsMore }
        field.end = stop
        fields.append(field)
        at = stop + 1
        return nil
    }

    /// Skips the current line, which may be longer than the buffer.
    private mutating func skipLine(_ reason: String) throws(SourceError) -> Event {
        let event = Event.broken(line: line, RowProblem(reason))
        line += 1
        return try skipRest(event)
    }

    /// The source may pause: then it goes on here.
    private mutating func skipRest(_ event: Event) throws(SourceError) -> Event {
        skipping = event
        while true {
            if let newline = buffer[start..<end].firstIndex(of: newline) {
                start = newline + 1
                break
            }
            start = end
            if isAtEnd { break }
            try fill()
        }
        skipping = nil
        return event
    }

    /// Moves what is left to the front and reads behind it.
    private mutating func fill() throws(SourceError) {
        if start > 0 {
            buffer.replaceSubrange(0..<(end - start), with: buffer[start..<end])
            end -= start
            start = 0
        }
        var failure: SourceError?
        var count = 0
        unsafe buffer.withUnsafeMutableBytes { [source, end] bytes in
            do throws(SourceError) {
                count = try unsafe source.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        end += count
        isAtEnd = count == 0
    }
}
