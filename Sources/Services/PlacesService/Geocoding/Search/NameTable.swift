import Geo

/// What each run of a text's words names, looked up once.
struct NameTable {
    /// What a run of words leads to.
    struct Entry {
        let target: GazetteerTarget
        let record: GazetteerRecord
        /// How many letters had to be changed.
        var changes = 0
    }

    /// The most places of one name that are considered, those with most people first.
    private static let maximumOfOneName = 2000
    /// The most of them with a typing mistake.
    private static let maximumMisspelled = 16

    let words: QueryWords
    private let gazetteer: Gazetteer
    private var entries: [[Entry]]

    init(_ words: QueryWords, in gazetteer: Gazetteer) {
        self.words = words
        self.gazetteer = gazetteer
        entries = Array(repeating: [], count: words.count * (words.count + 1))
        for start in 0..<words.count {
            for end in start + 1...words.count { entries[index(start..<end)] = exact(start..<end) }
        }
    }

    subscript(_ span: Range<Int>) -> [Entry] { entries[index(span)] }

    /// Whether some words can be split into runs that all name something.
    func isMade(_ span: Range<Int>) -> Bool {
        span.isEmpty
            || (span.lowerBound + 1...span.upperBound).contains { end in
                !self[span.lowerBound..<end].isEmpty && isMade(end..<span.upperBound)
            }
    }

    /// The box around the country or region that an entry is.
    func extent(_ entry: Entry) -> Geo.Box? { gazetteer.extent(entry.target.record) }

    private func index(_ span: Range<Int>) -> Int { span.lowerBound * (words.count + 1) + span.upperBound }

    private func exact(_ span: Range<Int>) -> [Entry] {
        gazetteer.targets(of: words.hash(span), maximum: Self.maximumOfOneName).compactMap { target in
            gazetteer.record(target.record).map { Entry(target: target, record: $0) }
        }
    }

    /// This table with what a run of words would name if it was written with a mistake; nil when there is nothing.
    func withMistakes(in span: Range<Int>) -> NameTable? {
        let text = NameKey.letters(words.text(span))
        let allowed = TypingMistakes.allowed(text.count)
        guard allowed > 0, self[span].isEmpty, text.allSatisfy({ $0 < 0x80 }) else { return nil }
        var found: [Entry] = []
        unsafe gazetteer.forEachSpelling(near: text, changes: allowed) { target, spelling in
            // The first letter is rarely mistyped, and requiring it halves the accidental matches.
            guard unsafe spelling.first == text.first,
                let changes = unsafe TypingMistakes.changes(text, spelling, maximum: allowed),
                let record = gazetteer.record(target.record)
            else { return }
            found.append(Entry(target: target, record: record, changes: changes))
        }
        guard !found.isEmpty else { return nil }
        found.sort { ($0.changes, $1.record.population) < ($1.changes, $0.record.population) }
        var table = self
        table.entries[index(span)] = Array(found.prefix(Self.maximumMisspelled))
        return table
    }
}

/// Checks whether words after a name correctly say where it is: "WA, USA" after "Seattle".
struct Qualifiers {
    /// A larger town within this distance may be named with a smaller one: "Kreuzberg, Berlin".
    private static let townMetres = 50_000.0
    /// The most records of one name that are considered.
    private static let maximumOfOneName = 32

    let table: NameTable

    /// Whether the words can be split into names that all apply to the record.
    func cover(_ span: Range<Int>, of record: GazetteerRecord) -> Bool {
        if span.isEmpty { return true }
        return (span.lowerBound + 1...span.upperBound).reversed().contains { end in
            let part = span.lowerBound..<end
            return table[part].prefix(Self.maximumOfOneName).contains { Self.isTrue($0.record, of: record) }
                && cover(end..<span.upperBound, of: record)
        }
    }

    private static func isTrue(_ outer: GazetteerRecord, of inner: GazetteerRecord) -> Bool {
        guard outer.country == inner.country else { return false }
        switch outer.kind {
        case .country: return inner.kind != .country
        case .region: return inner.kind == .town && outer.region == inner.region
        case .town:
            return inner.kind == .town && outer.population > inner.population
                && outer.position.metres(to: inner.position) <= townMetres
        }
    }
}
