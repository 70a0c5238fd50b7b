/// Finds what one name has as a word and another one as several. `had` and `theirs` are of each word whether the other
/// name has it.
enum WordRuns {
    typealias Words = [PlaceName.Word]

    /// "Sun Trust" is "SunTrust".
    static func join(_ words: Words, _ had: inout [Bool], _ others: Words, _ theirs: inout [Bool]) {
        for i in had.indices.dropLast() where !had[i] && !had[i + 1] {
            let whole = words[i].bytes + words[i + 1].bytes
            for j in theirs.indices where !theirs[j] && WordMatch.isSpelled(whole, others[j].bytes) {
                (had[i], had[i + 1], theirs[j]) = (true, true, true)
                break
            }
        }
    }

    /// "CME" is "Christian Methodist Episcopal".
    static func spellOut(_ words: Words, _ had: inout [Bool], _ others: Words, _ theirs: inout [Bool]) {
        for i in had.indices where !had[i] && (2...5).contains(words[i].bytes.count) && !words[i].hasDigit {
            let letters = words[i].bytes
            guard others.count >= letters.count else { continue }
            for start in 0...(others.count - letters.count) {
                let run = start..<(start + letters.count)
                guard run.allSatisfy({ !theirs[$0] && others[$0].bytes.first == letters[$0 - start] }) else { continue }
                had[i] = true
                for index in run { theirs[index] = true }
                break
            }
        }
    }

    /// The last word of a name that was cut is the beginning of one.
    static func complete(_ words: Words, _ had: inout [Bool], _ others: Words, _ theirs: inout [Bool]) {
        guard had.last == false, let cut = words.last, !cut.hasDigit else { return }
        for j in theirs.indices where !theirs[j] && others[j].bytes.starts(with: cut.bytes) {
            (had[had.count - 1], theirs[j]) = (true, true)
            return
        }
    }
}
