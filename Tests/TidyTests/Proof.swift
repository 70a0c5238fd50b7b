/// Where code asks the compiler to believe something about concurrency, a comment has to say why it is so.
enum Proof {
    static let claims = ["@unchecked Sendable", "nonisolated(unsafe)"]
    /// How many lines before and after are looked at.
    static let reach = 4

    /// The lines, counted from 1, that make a claim without a comment near.
    static func missing(in file: TextFile) -> [Int] {
        file.code.indices.filter { index in
            guard claims.contains(where: file.code[index].contains) else { return false }
            let near = max(0, index - reach)...min(file.lines.count - 1, index + reach)
            return !near.contains { file.lines[$0].contains("//") }
        }.map { $0 + 1 }
    }
}
