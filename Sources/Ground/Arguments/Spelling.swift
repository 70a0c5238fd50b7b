/// Suggests the word that was probably meant.
package enum Spelling {
    /// "; did you mean X?" with the nearest of the known words, or nothing when none is near.
    package static func suggestion(for word: String, among known: [String]) -> String {
        nearest(to: word, among: known).map { "; did you mean \($0)?" } ?? ""
    }

    /// The known word with the fewest edits; nil when it would take more than a third of the word's letters, or 2.
    static func nearest(to word: String, among known: [String]) -> String? {
        let limit = max(2, word.count / 3)
        let scored = known.map { (word: $0, edits: edits(word.lowercased(), $0.lowercased())) }
        return scored.filter { $0.edits <= limit }.min { $0.edits < $1.edits }?.word
    }

    /// How many letters must be added, removed, changed or swapped with their neighbour (restricted
    /// Damerau-Levenshtein distance).
    static func edits(_ left: String, _ right: String) -> Int {
        let left = Array(left)
        let right = Array(right)
        var before: [Int] = []
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let change = last[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(change, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, before[column - 1] + 1)
                }
                current.append(best)
            }
            before = last
            last = current
        }
        return last[right.count]
    }
}
