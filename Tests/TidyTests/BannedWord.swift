import Testing

/// A word that code must not hold, and why.
struct BannedWord: CustomTestStringConvertible {
    enum Place { case sources, tests, both }

    let word: String
    let reason: String
    let place: Place
    var testDescription: String { word }

    init(_ word: String, in place: Place = .both, _ reason: String) {
        self.word = word
        self.place = place
        self.reason = reason
    }

    static let all = [
        BannedWord("import Foundation", "FoundationEssentials is enough, and 40 MB smaller"),
        BannedWord("DispatchSemaphore", "it blocks a thread of the pool"),
        BannedWord("URLSession", "HTTP goes through libcurl on the event loop"),
        BannedWord("DateFormatter", "it drags all of Foundation in"),
        BannedWord("String(format:", "it drags all of Foundation in"),
        BannedWord("Thread.sleep", "it blocks a thread"),
        BannedWord("usleep(", "it blocks a thread"),
        BannedWord("nanosleep(", "it blocks a thread"),
        BannedWord("sleep(", in: .tests, "a test waits for what happens, not for time"),
        BannedWord("try!", "an error is thrown on, or handled where it stands"),
        BannedWord("as!", "a cast that fails is an error, not a crash"),
        BannedWord("fatalError(", in: .sources, "what only we can get wrong is a precondition"),
        BannedWord("pipe(&", "makePipe: a program that is started meanwhile would hold its ends open"),
        BannedWord("accept(descriptor, nil", "Socket.accept, for the same reason"),
        BannedWord("public", in: .sources, "there is one package, so `package` is enough"),
    ]

    /// The files that it must not stand in.
    var files: [TextFile] {
        switch place {
        case .sources: SourceTree.sources
        case .tests: SourceTree.tests
        case .both: SourceTree.sources + SourceTree.tests
        }
    }

    /// The lines, counted from 1, in which it stands by itself.
    func lines(in file: TextFile) -> [Int] {
        file.code.indices.filter { isIn(file.code[$0]) }.map { $0 + 1 }
    }

    private func isIn(_ line: Substring) -> Bool {
        // There is no other way to re-export a module.
        !line.hasPrefix("@_exported public import ")
            && line.ranges(of: word).contains { range in
                let before = line[..<range.lowerBound].last
                let after = line[range.upperBound...].first
                return !isPartOfName(before) && !(isPartOfName(word.last) && isPartOfName(after))
            }
    }

    private func isPartOfName(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
    }
}
