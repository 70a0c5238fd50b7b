import Arguments
import Bytes
import Terminal

/// The help texts, made from the commands' tables.
struct HelpText {
    /// Longer lines are hard to read.
    private static let widest = 100

    private let width: Int

    /// Nil means no limit; lines stay readable all the same.
    init(width: Int?) { self.width = min(width ?? Self.widest, Self.widest) }

    /// All commands, a line each.
    func overview(_ commands: [CommandSyntax]) -> String {
        let lines = section(commands.map { ($0.name, $0.summary) })
        return """
            Waymark, your own places, pins and photos around any point.

            Usage: waymark COMMAND [ARGUMENTS]

            \(lines)

            waymark help COMMAND describes each; waymark version prints the version.

            """
    }

    /// One command in full.
    func text(_ syntax: CommandSyntax) -> String {
        var parts = ["\(syntax.summary.sentence)\n\nUsage: \(Self.usage(syntax))"]
        if !syntax.positionals.isEmpty {
            parts.append(section(syntax.positionals.map { ($0.name, $0.summary) }))
        }
        parts.append("Flags:\n" + section((syntax.flags + Flag.common).map { (Self.spelling($0), $0.summary) }))
        if !syntax.examples.isEmpty {
            parts.append("Examples:\n" + syntax.examples.map { "  waymark \($0)" }.joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// "waymark nearby LAT LON [flags]"
    static func usage(_ syntax: CommandSyntax) -> String {
        let positionals = syntax.positionals.map { positional in
            let name = positional.name + (positional.isRepeatable ? "…" : "")
            return positional.isOptional ? " [\(name)]" : " \(name)"
        }.joined()
        return "waymark \(syntax.name)\(positionals) [flags]"
    }

    private static func spelling(_ flag: Flag) -> String {
        let value = flag.value.map { " \($0)" } ?? ""
        let letter = flag.letter.map { "-\($0), " } ?? ""
        return "\(letter)--\(flag.name)\(value)\(flag.isRepeatable ? " …" : "")"
    }

    /// Names with their texts next to them; below them, where a line has no room for that.
    private func section(_ entries: [(String, String)]) -> String {
        let names = entries.map(\.0.count).max() ?? 0
        let longestWord = entries.flatMap { $0.1.split(at: " ") }.map(\.count).max() ?? 0
        let isBeside = width - names - 4 >= max(longestWord, 20)
        let column = isBeside ? names + 4 : 6
        let indent = String(repeating: " ", count: column)
        return entries.map { name, text in
            let lines = Self.wrapped(text, width - column).map { indent + $0 }
            guard isBeside, let first = lines.first else { return (["  \(name)"] + lines).joined(separator: "\n") }
            let head = "  \(name.padded(to: names))  " + first.dropFirst(column)
            return ([head] + lines.dropFirst()).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// The text in lines of at most so many columns, broken between words.
    static func wrapped(_ text: String, _ width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(at: " ", omittingEmptySubsequences: false) {
            if let last = lines.last, DisplayWidth.of(last) + 1 + DisplayWidth.of(String(word)) <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension String {
    /// With a capital at the start and a full stop at the end.
    fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }

    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
