/// The help texts, made from the commands' tables.
enum HelpText {
    /// All commands, a line each.
    static func overview(_ commands: [CommandSyntax]) -> String {
        let width = commands.map(\.name.count).max() ?? 0
        let lines = commands.map { "  \($0.name.padded(to: width))  \($0.summary)" }
        return """
            Waymark, your own places, pins and photos around any point.

            Usage: waymark COMMAND [ARGUMENTS]

            \(lines.joined(separator: "\n"))

            waymark COMMAND --help tells more of each; waymark --version names the version.

            """
    }

    /// One command in full.
    static func text(_ syntax: CommandSyntax) -> String {
        var parts = ["\(syntax.summary.sentence)\n\nUsage: \(usage(syntax))"]
        if !syntax.positionals.isEmpty {
            parts.append(section(syntax.positionals.map { ($0.name, $0.summary) }))
        }
        parts.append("Flags:\n" + section((syntax.flags + Flag.common).map { (spelling($0), $0.summary) }))
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

    private static func section(_ entries: [(String, String)]) -> String {
        let width = entries.map(\.0.count).max() ?? 0
        return entries.map { "  \($0.0.padded(to: width))  \($0.1)" }.joined(separator: "\n")
    }
}

extension String {
    /// With a capital at the start and a full stop at the end.
    fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }

    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
