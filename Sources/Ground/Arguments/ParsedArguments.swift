import Glibc

/// A parsed command line. The accessors convert values to their types.
package struct ParsedArguments: Sendable {
    package let syntax: CommandSyntax
    package let environment: [String: String]
    package var positionals: [String] = []
    private var values: [String: [String]] = [:]

    init(syntax: CommandSyntax, environment: [String: String]) {
        self.syntax = syntax
        self.environment = environment
    }

    mutating func add(_ flag: String, _ value: String) { values[flag, default: []].append(value) }

    /// Whether the flag was given on the command line.
    package func has(_ flag: String) -> Bool { values[flag] != nil }

    /// All values of a flag, in the order given.
    package func all(_ flag: String) -> [String] { values[flag] ?? [] }

    /// The flag's value on the command line.
    package func text(_ flag: String) -> String? { values[flag]?.last }

    /// The value of a flag, or else of its environment variable, and which of the two it was. An empty variable is
    /// unset.
    package func setting(_ flag: String) -> (source: String, text: String)? {
        if let text = text(flag) { return ("--\(flag)", text) }
        guard let variable = syntax.flags.first(where: { $0.name == flag })?.variable else { return nil }
        return environment[variable].flatMap { $0.isEmpty ? nil : (variable, $0) }
    }

    /// A number; any finite one.
    package func number(_ flag: String) throws(UsageError) -> Double? {
        guard let text = text(flag) else { return nil }
        return try Self.number(text, "--\(flag)", such: "as 0.5 or 100")
    }

    /// A whole number from 0.
    package func count<N: FixedWidthInteger & UnsignedInteger>(
        _ flag: String, as type: N.Type = N.self
    ) throws(UsageError) -> N? {
        guard let text = text(flag) else { return nil }
        guard let number = N(text) else {
            throw UsageError("--\(flag) is \(text), allowed is a whole number from 0 to \(N.max)")
        }
        return number
    }

    /// A span of time: "500ms", "10s", "2m", "1h", "90d"; a number alone is seconds.
    package func duration(_ flag: String) throws(UsageError) -> Duration? {
        guard let text = text(flag) else { return nil }
        guard let duration = Duration(timeSpan: text) else {
            throw UsageError("--\(flag) is \(text), allowed is a span of time above 0 such as 500ms, 10s, 2m or 90d")
        }
        return duration
    }

    /// The positional at `index`, as a finite number.
    package func number(at index: Int) throws(UsageError) -> Double {
        try Self.number(positionals[index], syntax.positionals[index].name, such: "as 60.17 or -33.86")
    }

    /// The positional at `index`; nil when it was left out.
    package func optional(at index: Int) -> String? { positionals.indices.contains(index) ? positionals[index] : nil }

    private static func number(_ text: String, _ name: String, such: String) throws(UsageError) -> Double {
        guard let number = Double(text), number.isFinite else {
            throw UsageError("\(name) is \(text), allowed is a number such \(such)")
        }
        return number
    }
}

/// The process's environment variables.
package enum Environment {
    package static var ofProcess: [String: String] {
        var found: [String: String] = [:]
        var index = 0
        while let entry = unsafe environ[index] {
            let parts = unsafe String(cString: entry).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
            index += 1
        }
        return found
    }
}
