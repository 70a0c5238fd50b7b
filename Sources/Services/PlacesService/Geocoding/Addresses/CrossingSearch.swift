import Bytes
import Geo
import Texts

/// Where two streets meet, as far as addresses say it: midway between the nearest ones of both.
struct StreetCrossing {
    let first: Address
    let second: Address
    let position: Geo.Coordinate

    /// "Mannerheimintie & Aleksanterinkatu".
    var name: String { "\(first.street) & \(second.street)" }
}

/// Finds the crossings that a text names: two streets with a word or a sign between them, and behind or before them
/// only words that are true of it.
struct CrossingSearch {
    private static let signs: Set<Unicode.Scalar> = ["&", "/", "+", "@", "×"]
    private static let between: Set<String> = [
        "and", "at", "x", "und", "ecke", "et", "y", "con", "esquina", "en", "hoek", "och", "og", "ja",
    ]
    /// Words before both streets that say nothing more.
    private static let before: Set<String> = [
        "corner", "of", "the", "ecke", "esquina", "de", "angle", "coin", "hoek", "van",
    ]
    /// Words of one street, and those beside the two.
    private static let maximumWords = 6
    private static let maximumAddresses = 2_000
    private static let maximumMetres = 250.0

    private let words: QueryWords
    private let book: StreetAddresses
    private let search: AddressSearch

    init(_ text: String, in book: StreetAddresses, _ gazetteer: Gazetteer?) {
        words = QueryWords(Self.spelled(text))
        self.book = book
        search = AddressSearch(words, in: book, gazetteer)
    }

    /// Whether a text may name a crossing at all.
    static func isWorthwhile(_ text: String) -> Bool {
        let words = QueryWords(spelled(text))
        return 3...QueryWords.maximum ~= words.count && splits(words).contains { $0 > 0 && $0 < words.count - 1 }
    }

    /// A text with a word for each sign between streets.
    private static func spelled(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false, atScalars: signs.contains).joined(separator: " and ")
    }

    /// Where a word stands that may be between two streets.
    private static func splits(_ words: QueryWords) -> [Int] {
        words.words.indices.filter { between.contains(String(decoding: words.folded[words.words[$0]], as: UTF8.self)) }
    }

    /// One for each town that has both streets near each other; `checkpoint` ends it by throwing.
    func crossings(_ view: CatalogView, checkpoint: () throws -> Void) throws -> [StreetCrossing] {
        for split in Self.splits(words) {
            let lefts = (max(0, split - Self.maximumWords)..<split).map { $0..<split }
            let last = min(words.count, split + 1 + Self.maximumWords)
            let rights = (split + 1..<last).map { split + 1..<$0 + 1 }.reversed()
            for left in lefts {
                let ahead = isFill(0..<left.lowerBound) ? 0..<0 : 0..<left.lowerBound
                let first = try addresses(left, view, beside: ahead, checkpoint)
                if first.isEmpty { continue }
                for right in rights {
                    let rest = right.upperBound..<words.count
                    let second = try addresses(right, view, beside: rest, checkpoint)
                    let found = try meetings(of: first, second, checkpoint)
                    if !found.isEmpty { return found }
                }
            }
        }
        return []
    }

    private func isFill(_ span: Range<Int>) -> Bool {
        span.allSatisfy { Self.before.contains(String(decoding: words.folded[words.words[$0]], as: UTF8.self)) }
    }

    /// The addresses in the street that words name, of which other words are true.
    private func addresses(
        _ street: Range<Int>, _ view: CatalogView, beside rest: Range<Int>,
        _ checkpoint: () throws -> Void
    ) throws -> [Address] {
        let hash = AddressKey.hash(street: words.text(street), book.words)
        let all = try book.addresses(ofStreet: hash, in: view, maximum: Self.maximumAddresses, checkpoint: checkpoint)
        return rest.isEmpty ? all : all.filter { search.cover(rest, of: $0) == 0 }
    }

    private func meetings(
        of first: [Address], _ second: [Address], _ checkpoint: () throws -> Void
    ) throws -> [StreetCrossing] {
        let others = Dictionary(grouping: second) { FoldedText($0.city).bytes }
        let towns = Dictionary(grouping: first) { FoldedText($0.city).bytes }
        return try towns.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { town, addresses in
            try others[town].flatMap { try nearest(addresses, $0, checkpoint) }
        }
    }

    /// The nearest two; nil when they are too far from each other.
    private func nearest(
        _ first: [Address], _ second: [Address], _ checkpoint: () throws -> Void
    ) throws -> StreetCrossing? {
        var best: (apart: Double, first: Address, second: Address)?
        for address in first {
            try checkpoint()
            let flat = FlatPlane(around: address.position)
            for other in second {
                let apart = flat.squared(to: other.position)
                if apart < best?.apart ?? .infinity { best = (apart, address, other) }
            }
        }
        guard let best, best.first.position.metres(to: best.second.position) <= Self.maximumMetres else { return nil }
        let (from, to) = (best.first.position, best.second.position)
        guard let position = Box(around: [from, to])?.centre else { return nil }
        return StreetCrossing(first: best.first, second: best.second, position: position)
    }
}

/// Distances on a flat map around a point, good enough to compare those of a town.
private struct FlatPlane {
    private let origin: Geo.Coordinate
    private let narrowing: Double

    init(around origin: Geo.Coordinate) {
        self.origin = origin
        narrowing = FindRanking.narrowing(at: origin.latitude)
    }

    func squared(to point: Geo.Coordinate) -> Double {
        let north = Double(Int64(point.latitudeE7) - Int64(origin.latitudeE7))
        let east = Double(Int64(point.longitudeE7) - Int64(origin.longitudeE7)) * narrowing
        return north * north + east * east
    }
}
