/// What people read in a file: the comments of Swift, since names and columns of tables must stay; all of other files.
/// Code in backticks or fences is left out.
struct Prose {
    let path: String
    /// For each line its words, in lower case.
    let words: [Set<Substring>]

    /// What the readers of the repository look into first, and what describes the API to its clients.
    static let all = SourceTree.files.filter(isRead).map(Prose.init)

    init(_ file: TextFile) {
        path = file.path
        var isFenced = false
        words = zip(file.lines, file.code).map { line, code in
            if !file.isSwift, line.hasPrefix("```") { isFenced.toggle() }
            guard !isFenced else { return [] }
            return Self.words(file.isSwift ? Self.comment(line, code) : line)
        }
    }

    private static func isRead(_ file: TextFile) -> Bool {
        guard !file.isGenerated else { return false }
        let isDocument = ["README.md", "CONTRIBUTING.md"].contains(file.path)
        return isDocument || ["Sources", "Protos", "Web", "Docs"].contains(file.folders.first)
    }

    /// From the first slashes with no code after them.
    private static func comment(_ line: Substring, _ code: Substring) -> Substring {
        let bytes = Array(line.utf8)
        let blank = code.utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count
        let start = bytes.indices.first { bytes[$0...].starts(with: "//".utf8) && $0 >= bytes.count - blank }
        return start.map { Substring(decoding: bytes[$0...], as: UTF8.self) } ?? ""
    }

    private static func words(_ line: Substring) -> Set<Substring> {
        let parts = line.lowercased().split(separator: "`", omittingEmptySubsequences: false)
        return Set(
            stride(from: 0, to: parts.count, by: 2).flatMap { parts[$0].split { !($0.isLetter || $0 == "_") } })
    }
}
