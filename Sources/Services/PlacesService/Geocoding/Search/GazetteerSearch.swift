import Geo

/// A geocoding query.
struct GeocodeQuestion: Sendable {
    var words: QueryWords
    /// How many matches at most.
    var limit: Int
    /// A point near which matches are preferred.
    var bias: Geo.Coordinate?
    /// ISO 3166-1 codes in capitals; none for all countries.
    var countryCodes: Set<String> = []
}

/// Finds what a text names in the gazetteer. Every word must be used: one run of words is the name, all others are
/// correct qualifiers of it, before or after.
struct GazetteerSearch {
    /// A record that the text names.
    struct Match {
        let index: UInt32
        let record: GazetteerRecord
        let changes: Int
        let score: Double
        /// What kind of name the text has of it.
        var quality = GazetteerTarget.Quality.main
    }

    /// Longer texts are not searched for typing mistakes, so that the time is bounded.
    private static let maximumWordsWithMistake = 6

    let gazetteer: Gazetteer
    let question: GeocodeQuestion

    /// Best first.
    /// - Parameter mistyped: whether typing mistakes are looked for where nothing is written so.
    func matches(mistyped: Bool = true) -> [Match] {
        let words = question.words
        guard 1...QueryWords.maximum ~= words.count else { return [] }
        let table = NameTable(words, in: gazetteer)
        var best: [UInt32: Match] = [:]
        collect(table, into: &best)
        if mistyped, best.isEmpty, words.count <= Self.maximumWordsWithMistake { collectMisspelled(table, into: &best) }
        let own = best.mapValues { beforeCountry($0, among: best) }
        let ranking = own.values.map { preferred($0, among: own) }.sorted(by: Self.isBetter)
        return Array(ranking.prefix(question.limit))
    }

    /// A region by its own name goes before its country, if that is only called so by some: England.
    private func beforeCountry(_ match: Match, among best: [UInt32: Match]) -> Match {
        guard match.record.kind == .region, match.quality == .main,
            let country = best[UInt32(match.record.country)], country.quality != .main,
            country.changes == match.changes
        else { return match }
        return Match(
            index: match.index, record: match.record, changes: match.changes,
            score: max(match.score, country.score + Ranking.ahead), quality: match.quality)
    }

    /// A town that makes up much of the region with the same name goes before it: New York, São Paulo.
    private func preferred(_ match: Match, among best: [UInt32: Match]) -> Match {
        guard match.record.kind == .town, let region = best[UInt32(match.record.region)],
            region.record.kind == .region, region.changes == match.changes,
            Ranking.isSeat(match.record, of: region.record)
        else { return match }
        return Match(
            index: match.index, record: match.record, changes: match.changes,
            score: max(match.score, region.score + Ranking.ahead), quality: region.quality)
    }

    private func collectMisspelled(_ table: NameTable, into best: inout [UInt32: Match]) {
        // All other words have to be names as they are.
        let all = question.words.count
        let starts = (0..<all).filter { table.isMade(0..<$0) }
        let ends = (1...all).filter { table.isMade($0..<all) }
        for start in starts {
            for end in ends where end > start {
                if let corrected = table.withMistakes(in: start..<end) { collect(corrected, into: &best) }
            }
        }
    }

    private func collect(_ table: NameTable, into best: inout [UInt32: Match]) {
        let all = question.words.count
        for start in 0..<all {
            for end in start + 1...all where !table[start..<end].isEmpty {
                collect(table, named: start..<end, into: &best)
            }
        }
    }

    private func collect(_ table: NameTable, named span: Range<Int>, into best: inout [UInt32: Match]) {
        let all = question.words.count
        let qualifiers = Qualifiers(table: table)
        for entry in table[span] {
            let isAlone = span == 0..<all
            guard entry.target.quality != .code || (isAlone && question.words.isCapitals), isWanted(entry.record),
                qualifiers.cover(0..<span.lowerBound, of: entry.record),
                qualifiers.cover(span.upperBound..<all, of: entry.record)
            else { continue }
            let changes = max(entry.changes, changes(in: table, beside: span))
            let match = Match(
                index: entry.target.record, record: entry.record, changes: changes, score: score(entry),
                quality: entry.target.quality)
            if let other = best[match.index], !Self.isBetter(match, other) { continue }
            best[match.index] = match
        }
    }

    /// Letters that were changed among the qualifiers.
    private func changes(in table: NameTable, beside span: Range<Int>) -> Int {
        let all = question.words.count
        var maximum = 0
        for start in 0..<all {
            for end in start + 1...all where end <= span.lowerBound || start >= span.upperBound {
                maximum = max(maximum, table[start..<end].first?.changes ?? 0)
            }
        }
        return maximum
    }

    private func isWanted(_ record: GazetteerRecord) -> Bool {
        guard !question.countryCodes.isEmpty else { return true }
        guard let country = gazetteer.record(UInt32(record.country)) else { return false }
        return question.countryCodes.contains(country.countryCode)
    }

    /// See Docs/Decisions/0021-how-the-gazetteer-ranks.md.
    private func score(_ entry: NameTable.Entry) -> Double {
        let record = entry.record
        var score = Ranking.people(record.population) + Ranking.name(entry.target.quality)
        score += Ranking.kind(record.kind, named: entry.target.quality)
        if let bias = question.bias { score += Ranking.nearness(bias.metres(to: record.position)) }
        return score
    }

    private static func isBetter(_ a: Match, _ b: Match) -> Bool {
        if a.changes != b.changes { return a.changes < b.changes }
        return a.score != b.score ? a.score > b.score : a.index < b.index
    }
}

extension GazetteerRecord {
    /// The two letters of a country; empty for others.
    var countryCode: String {
        code == 0
            ? ""
            : String(decoding: [UInt8(truncatingIfNeeded: code), UInt8(truncatingIfNeeded: code >> 8)], as: UTF8.self)
    }
}
