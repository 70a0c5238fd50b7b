/// The beginnings of ids that are enough to tell them apart.
struct ShortIDs: Sendable {
    /// The first group of a UUID.
    private static let shortest = 8

    private let sorted: [String]

    init(_ ids: [String]) { sorted = Set(ids).sorted() }

    /// The shortest beginning that no other id has, and at least a few digits.
    func short(_ id: String) -> String {
        guard let index = sorted.firstIndex(of: id) else { return id }
        let neighbours = [index - 1, index + 1].filter(sorted.indices.contains).map { sorted[$0] }
        let common = neighbours.map { Self.common($0, id) }.max() ?? 0
        let short = id.prefix(max(Self.shortest, common + 1))
        // A hyphen at the end says nothing.
        return String(short.last == "-" ? id.prefix(short.count + 1) : short)
    }

    private static func common(_ left: String, _ right: String) -> Int {
        zip(left, right).prefix { $0 == $1 }.count
    }
}
