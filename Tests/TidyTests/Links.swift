/// Links between the documents.
enum Links {
    /// The targets of `[…](target)` that are files here: no addresses, anchors cut off, code left out.
    static func files(in text: String) -> [String] {
        prose(text).matches(of: /\]\(([^)\s]+)\)/).compactMap { match in
            let target = match.1.prefix { $0 != "#" }
            return target.isEmpty || target.contains("://") || target.hasPrefix("mailto:")
                ? nil : String(target)
        }
    }

    /// `target` as seen from `file`, from the repository's root; nil when it leads out of it.
    static func resolve(_ target: String, from file: TextFile) -> String? {
        var parts = target.hasPrefix("/") ? [] : file.folders.map(String.init)
        for part in target.split(separator: "/") where part != "." {
            if part != ".." {
                parts.append(String(part))
            } else if parts.popLast() == nil {
                return nil
            }
        }
        return parts.joined(separator: "/")
    }

    private static func prose(_ text: String) -> String {
        var isCode = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            if line.hasPrefix("```") { isCode.toggle() }
            return !isCode
        }.joined(separator: "\n")
    }
}
