import TestTools

/// A statement as it stands in a source file.
struct SQLText: CustomStringConvertible {
    /// "Sources/Services/PinService/Posts/Transaction+Posts.swift:33".
    let place: String
    /// On one line.
    let text: String

    var description: String { "\(place): \(text)" }

    /// The number of its parameters.
    var parameterCount: Int {
        text.split(separator: "?").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }.max() ?? 0
    }

    /// The table that the statement calls by another name.
    func table(called name: String) -> String {
        let words = text.split { $0 == " " || $0 == "," || $0 == ")" }
        let at = words.indices.dropFirst(2).first { words[$0] == name && words[$0 - 1] == "AS" }
        return at.map { String(words[$0 - 2]) } ?? name
    }

    /// As PostgreSQL reads it.
    var forPostgres: String {
        text.replacing("/*+", with: "").replacing("*/", with: "").replacing("?", with: "$")
    }

    /// All that a folder of sources asks of a database; not what makes its tables.
    static func all(in folder: String) throws -> [SQLText] {
        try SourceFiles.paths(under: folder).flatMap { path in
            literals(of: try WholeFile.text("\(SourceFiles.root)/\(path)")).compactMap { line, text in
                let words = text.split { $0 == " " || $0 == "\n" }
                let kinds: [Substring] = ["SELECT", "WITH", "UPDATE", "DELETE", "INSERT"]
                guard let kind = words.first, kinds.contains(kind), kind == "SELECT" || !path.contains("Schema") else {
                    return nil
                }
                return SQLText(place: "\(path):\(line)", text: words.joined(separator: " "))
            }
        }
    }

    /// The texts in quotes of a source, with their lines, as far as statements are written: without interpolation.
    private static func literals(of source: String) -> [(line: Int, text: String)] {
        var found: [(Int, String)] = []
        var open: (line: Int, text: String)?
        for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let isMark = line.contains("\"\"\"")
            if let begun = open {
                if isMark { found.append(begun) }
                // The end of a line that is behind a backslash is none.
                let more = line.hasSuffix("\\") ? line.dropLast() + " " : line + "\n"
                open = isMark ? nil : (begun.line, begun.text + more)
            } else if isMark {
                open = (index + 1, "")
            } else {
                let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
                found += stride(from: 1, to: parts.count, by: 2).map { (index + 1, String(parts[$0])) }
            }
        }
        return found
    }
}
