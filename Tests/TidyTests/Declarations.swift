/// What the sources declare, found by its keyword: enough to see names that are used twice, or by nobody.
enum Declarations {
    /// The types at the outermost level of a file, but for those that only the file sees.
    static func types(in file: TextFile) -> [String] {
        file.code.compactMap { line in
            guard let match = line.firstMatch(of: /^(.*?)\b(struct|class|enum|actor|protocol|typealias) (\w+)/),
                !line.hasPrefix(" "), !match.1.contains("private")
            else { return nil }
            return String(match.3)
        }
    }

    /// The functions and properties, at any level, but for those that only the file sees: the compiler tells of these.
    static func members(in file: TextFile) -> [String] {
        file.code.flatMap { line in
            line.matches(of: /^(.*?)\b(func|var|let) (\w+)/).filter { !$0.1.contains("private") }.map { String($0.3) }
        }
    }

    /// The module of a file: its folder in a street of Sources, or the one in Benchmarks or DataTools.
    static func module(of file: TextFile) -> String {
        String(file.folders.dropFirst(file.folders.first == "Sources" ? 2 : 1).first ?? "")
    }

    /// How often each word stands in files, comments and texts included: those hold code, too.
    static func words(of files: [TextFile]) -> [Substring: Int] {
        var counts: [Substring: Int] = [:]
        for file in files {
            for word in file.text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
                counts[word, default: 0] += 1
            }
        }
        return counts
    }
}
