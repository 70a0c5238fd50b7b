import Bytes
import Files

/// A style sheet of the web app as one file: instead of each line `@import "other.css";` it has that file, which would
/// otherwise be a request by itself.
enum StyleSheet {
    /// The sheet that imports all others.
    static let entry = "main.css"
    private static let limit = 1 << 20

    /// Nil when the folder has no such sheet. Blocks.
    static func joined(folder: String) throws -> String? {
        guard try SmallFile.names(under: folder).contains(entry) else { return nil }
        return try text("\(folder)/\(entry)").split(at: "\n", omittingEmptySubsequences: false).map { line in
            guard let name = imported(line) else { return String(line) }
            return try text("\(folder)/\(name)")
        }.joined(separator: "\n")
    }

    /// The name in an import of a sheet in the same folder.
    private static func imported(_ line: Substring) -> Substring? {
        guard line.ends(with: ".css\";"), let name = line.after("@import \"")?.before("\";") else { return nil }
        return name.holds("/") ? nil : name
    }

    private static func text(_ path: String) throws -> String {
        String(decoding: try SmallFile.read(path, limit: limit), as: UTF8.self)
    }
}
