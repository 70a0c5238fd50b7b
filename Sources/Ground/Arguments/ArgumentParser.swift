import Bytes

/// Parses a command line by a command's table. Knows no particular command.
package struct ArgumentParser {
    private let syntax: CommandSyntax
    /// Flags that it accepts besides those of the table.
    private let common: [Flag]
    private var parsed: ParsedArguments
    private var rest: ArraySlice<String> = []

    package init(_ syntax: CommandSyntax, common: [Flag] = Flag.common, environment: [String: String]) {
        self.syntax = syntax
        self.common = common
        parsed = ParsedArguments(syntax: syntax, environment: environment)
    }

    /// Parses the arguments after the command's own words.
    package mutating func parse(_ arguments: ArraySlice<String>) throws(UsageError) -> ParsedArguments {
        rest = arguments
        var onlyPositionals = false
        while let word = rest.popFirst() {
            if onlyPositionals || !Self.looksLikeFlag(word) {
                parsed.positionals.append(word)
            } else if word == "--" {
                onlyPositionals = true
            } else {
                try readFlag(word)
            }
        }
        parsed.positionals = PointText.splitting(parsed.positionals, syntax.positionals)
        if !parsed.has("help") { try checkPositionals() }
        return parsed
    }

    /// A dash followed by a digit or a point begins a number ("-33.86"); a lone dash means standard input.
    package static func looksLikeFlag(_ word: String) -> Bool {
        guard let second = word.after("-")?.unicodeScalars.first else { return false }
        return !second.isDigit && second != "."
    }

    private mutating func readFlag(_ word: String) throws(UsageError) {
        let parts = word.split(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let spelled = String(parts[0])
        let flag = try flag(spelled)
        guard flag.value != nil else {
            guard parts.count == 1 else { throw UsageError("\(spelled) takes no value") }
            parsed.add(flag.name, "")
            return
        }
        let value = parts.count == 2 ? String(parts[1]) : try nextValue(flag)
        if parsed.has(flag.name), !flag.isRepeatable { throw UsageError("\(spelled) is given twice") }
        parsed.add(flag.name, value)
    }

    private func flag(_ spelled: String) throws(UsageError) -> Flag {
        if spelled == "-h" { return Flag("help", "") }
        let flags = syntax.flags + common
        if let name = spelled.after("--"), let flag = flags.first(where: { $0.name == name }) { return flag }
        if spelled.unicodeScalars.count == 2,
            let flag = flags.first(where: { $0.letter == spelled.unicodeScalars.last })
        {
            return flag
        }
        let hint = Spelling.suggestion(for: spelled, among: flags.map { "--\($0.name)" })
        throw UsageError("\(syntax.name) has no flag \(spelled)\(hint)")
    }

    private mutating func nextValue(_ flag: Flag) throws(UsageError) -> String {
        guard let value = rest.first, !Self.looksLikeFlag(value) else {
            throw UsageError("--\(flag.name) needs a value: --\(flag.name) \(flag.value ?? "")")
        }
        rest.removeFirst()
        return value
    }

    private func checkPositionals() throws(UsageError) {
        let given = parsed.positionals.count
        let required = syntax.positionals.prefix { !$0.isOptional }.count
        if given < required {
            let missing = syntax.positionals[given]
            throw UsageError("\(missing.name) is missing: \(missing.summary)")
        }
        if given > syntax.positionals.count, syntax.positionals.last?.isRepeatable != true {
            throw UsageError(
                "\(parsed.positionals[syntax.positionals.count]) is one argument too many for \(syntax.name)")
        }
    }
}

/// Invalid arguments: a message that names the argument and what is allowed.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
