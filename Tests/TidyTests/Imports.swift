/// The modules that a Swift file imports, in order.
func imports(of file: TextFile) -> [String] {
    let before: Set<Substring> = ["package", "internal", "public", "private", "fileprivate"]
    let kinds: Set<Substring> = [
        "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
    ]
    return file.code.compactMap { line in
        let words = line.split(separator: " ").drop { $0.hasPrefix("@") || before.contains($0) }
        guard words.first == "import" else { return nil }
        return words.dropFirst().first { !kinds.contains($0) }?.split(separator: ".").first.map(
            String.init)
    }
}
