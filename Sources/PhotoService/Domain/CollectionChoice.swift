/// Chooses which photos a collection shows.
enum CollectionChoice {
    /// A photo that may be chosen.
    struct Candidate: Equatable, Sendable {
        let id: PhotoID
        /// In which collection it was shown last; 0 for never.
        var lastShown: Int64 = 0
    }

    /// At most `size` of the candidates, which come nearest first: those that were shown the longest ago, or never,
    /// before the others; among these the nearest, one of each network in turn. No photo comes twice.
    static func choose(_ size: Int, from candidates: [Candidate]) -> [Candidate] {
        var known: Set<PhotoID> = []
        let single = candidates.filter { known.insert($0.id).inserted }
        let byAge = Dictionary(grouping: single, by: \.lastShown)
        var chosen: [Candidate] = []
        for age in byAge.keys.sorted() where chosen.count < size {
            chosen += inTurn(byAge[age] ?? []).prefix(size - chosen.count)
        }
        return chosen
    }

    /// One of each network in turn, beginning with the network of the first.
    private static func inTurn(_ candidates: [Candidate]) -> [Candidate] {
        var turns: [String: Int] = [:]
        let numbered = candidates.enumerated().map { index, candidate in
            let turn = turns[candidate.id.network, default: 0]
            turns[candidate.id.network] = turn + 1
            return (turn: turn, index: index, candidate: candidate)
        }
        return numbered.sorted { ($0.turn, $0.index) < ($1.turn, $1.index) }.map(\.candidate)
    }
}
