import Testing

/// A word of the project's old dialect, which readers stumbled over, and the plain words for what it meant.
struct UnclearWord: CustomTestStringConvertible {
    let word: String
    let instead: String
    var testDescription: String { word }

    init(_ word: String, _ instead: String) {
        self.word = word
        self.instead = instead
    }

    static let all = [
        UnclearWord("told", "sent, reported, notified or declared"),
        UnclearWord("untold", "not sent yet"),
        UnclearWord("anew", "again; started over"),
        UnclearWord("whoever", "the caller, client, reader or owner that is meant"),
        UnclearWord("nobody", "no caller, no client, no reader; or what is missing"),
        UnclearWord("somebody", "a user, a client; or who it is"),
        UnclearWord("anybody", "any user, any client; or who it is"),
    ]

    /// The lines, counted from 1, in which it stands by itself.
    func lines(in prose: Prose) -> [Int] {
        prose.words.enumerated().filter { $0.element.contains(word[...]) }.map { $0.offset + 1 }
    }
}
