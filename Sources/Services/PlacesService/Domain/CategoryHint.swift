import Geo
import Texts

/// What may be meant by a category that no place has: "Restaurant" or "amenity/restaurant" by "restaurant".
struct CategoryHint {
    private static let maximum = 3
    private static let slash = UInt8(ascii: "/")

    /// Which of the criteria's categories it is.
    let index: Int
    /// The category that is not there.
    let category: String
    /// Those that are there, the likeliest first; at least one.
    let nearest: [String]

    /// About the first of the criteria's categories that no place of these sources has; nil when none has a similar one
    /// either. Compares all names of categories, which takes so long that it is done for one only.
    init?(_ criteria: PlaceCriteria, _ view: CatalogView) {
        let searched = zip(view.set.snapshots, criteria.sources(in: view)).filter(\.1).map(\.0)
        let names = Set(searched.flatMap(\.categoryNames))
        let unknown = criteria.categories.firstIndex { wanted in !names.contains { Self.selects(wanted, $0) } }
        guard let unknown else { return nil }
        let wanted = criteria.categories[unknown]
        let text = Self.plain(wanted)
        let longest = names.lazy.map(\.count).max() ?? 0
        guard text.count <= longest + TypingMistakes.allowed(text.count) else { return nil }
        let similar = Set(names.compactMap { Self.beginning(of: $0, meantBy: text) })
        let ordered = similar.sorted {
            ($0.count, String(decoding: $0, as: UTF8.self)) < ($1.count, String(decoding: $1, as: UTF8.self))
        }
        guard !ordered.isEmpty else { return nil }
        index = unknown
        category = String(decoding: wanted, as: UTF8.self)
        nearest = ordered.prefix(Self.maximum).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func selects(_ wanted: [UInt8], _ name: [UInt8]) -> Bool {
        name.starts(with: wanted) && (name.count == wanted.count || name[wanted.count] == slash)
    }

    /// The part of a path, from its beginning on, whose last word or words someone may have meant; nil when none is.
    private static func beginning(of path: [UInt8], meantBy text: [UInt8]) -> [UInt8]? {
        let ends = path.indices.filter { path[$0] == slash } + [path.count]
        let starts = [0] + path.indices.filter { path[$0] == slash }.map { $0 + 1 }
        for end in ends {
            let isMeant = starts.contains { start in start < end && isNear(text, plain(Array(path[start..<end]))) }
            if isMeant { return Array(path[..<end]) }
        }
        return nil
    }

    private static func isNear(_ text: [UInt8], _ word: [UInt8]) -> Bool {
        let allowed = TypingMistakes.allowed(text.count)
        return unsafe word.withUnsafeBytes { unsafe TypingMistakes.changes(text, $0, maximum: allowed) != nil }
    }

    /// In lower case, with "/" between its parts and no other mark.
    private static func plain(_ path: [UInt8]) -> [UInt8] {
        let parts = path.split(separator: slash).map { FoldedText(String(decoding: $0, as: UTF8.self)).bytes }
        return Array(parts.joined(separator: [slash]))
    }
}

extension PlacesError {
    /// A search found nothing, and this is why.
    init(_ hint: CategoryHint) {
        self = .invalid(
            field: "categories[\(hint.index)]",
            problem: "\(hint.category.quoted) is no category of a place here; "
                + "\(hint.nearest.map(\.quoted).joined(separator: ", ")) \(hint.nearest.count == 1 ? "is" : "are")")
    }
}
