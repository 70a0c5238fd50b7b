import Bytes

/// One setting of a program: a flag, which also is an environment variable.
package struct Option: Sendable {
    /// "--listen"
    package let flag: String
    /// What its value is, for the help text; nil for a flag without a value.
    package let value: String?
    /// "WAYMARK_LISTEN"; nil when only the flag is known.
    package let variable: String?
    /// The value when none is given.
    package let defaultValue: String?
    /// The numbers that are allowed; nil when the value is no number.
    package let range: NumberRange?
    package let help: String
    /// How the program uses the path that is its value; nil when the value is not a path.
    package let access: PathAccess?
    /// Whether its value is left out when the configuration is printed.
    package let isSecret: Bool
    /// What `waymark up` does with it.
    package let up: UseByUp
    /// The default as Operations.md tells it, where it depends on the machine or the program.
    private let defaultText: String?

    /// - Parameter isFlagOnly: whether there is no variable for it.
    package init(
        _ flag: String, _ value: String? = nil, default defaultValue: String? = nil, in range: NumberRange? = nil,
        defaultText: String? = nil, isFlagOnly: Bool = false, isSecret: Bool = false, access: PathAccess? = nil,
        up: UseByUp = .passes, help: String
    ) {
        self.flag = flag
        self.value = value
        variable = isFlagOnly ? nil : "WAYMARK_" + flag.dropFirst(2).uppercased().replacing(each: "-", with: "_")
        self.defaultValue = defaultValue
        self.range = range
        self.help = help
        self.access = access
        self.isSecret = isSecret
        self.up = up
        self.defaultText = defaultText
    }

    /// A whole number.
    package init(
        _ flag: String, _ value: String, default number: Int, in range: ClosedRange<Int>, defaultText: String? = nil,
        up: UseByUp = .passes, help: String
    ) {
        self.init(flag, value, default: "\(number)", in: .whole(range), defaultText: defaultText, up: up, help: help)
    }
}

/// The numbers that an option allows.
package enum NumberRange: Sendable, CustomStringConvertible {
    case whole(ClosedRange<Int>)
    case decimal(ClosedRange<Double>)

    package var description: String {
        switch self {
        case .whole(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .decimal(let range): "\(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
        }
    }

    /// Without ".0".
    private static func text(_ bound: Double) -> String { Int(exactly: bound).map { "\($0)" } ?? "\(bound)" }
}

/// What `waymark up`, which starts all services of one machine, does with a setting of theirs.
package enum UseByUp: Sendable {
    /// A person may give it to `up` by the same flag: each service that has it gets it.
    case passes
    /// It is for `up` alone to say: where a service listens and keeps its data, and where the others are.
    case sets
    /// It stays as the service has it: one value would be wrong for several services, or the program ends with it.
    case leaves
}

/// What a program does at a path that it is given.
package enum PathAccess: Sendable {
    case readsFile
    /// Reads the file repeatedly, also when another file has replaced it.
    case readsReplacedFile
    case readsFolder, writesFolder
    /// A folder that is written to, unless the value is an address with "://".
    case writesPlace
}

extension Option {
    /// Without the dashes, as the parser knows it.
    package var name: String { String(flag.unicodeScalars.drop { $0 == "-" }) }

    /// As the service takes it: of two values it has the last.
    var parsedFlag: Flag { flag(isRepeatable: true) }

    /// As a command takes it that passes it on.
    package var passedFlag: Flag { flag(isRepeatable: false) }

    private func flag(isRepeatable: Bool) -> Flag {
        var flag = value.map { Flag(name, $0, help, isRepeatable: isRepeatable) } ?? Flag(name, help)
        flag.variable = variable
        return flag
    }

    /// The flag and what its value is: "--listen HOST:PORT".
    private var usage: String { value.map { "\(flag) \($0)" } ?? flag }

    /// The help text: one line per option.
    package static func help(_ options: [Option]) -> String {
        let width = (options.map(\.usage.count).max() ?? 0) + 2
        return options.map { option in
            let padding = String(repeating: " ", count: width - option.usage.count)
            let source = [
                option.variable, option.defaultValue.map { "default \($0)" }, option.range?.description,
            ].compactMap(\.self)
            return "  \(option.usage)\(padding)\(option.help)"
                + (source.isEmpty ? "" : " [\(source.joined(separator: "; "))]")
        }.joined(separator: "\n")
    }

    /// The options that have a variable, as a table in Markdown.
    package static func table(_ options: [Option]) -> String {
        let rows = options.compactMap { option in
            option.variable.map { variable in
                let defaultText = option.defaultText ?? option.defaultValue.map { "`\($0)`" } ?? "none"
                let help = option.help + (option.range.map { "; \($0)" } ?? "")
                return "| `\(option.usage)` | `\(variable)` | \(defaultText) | \(help) |"
            }.map { $0.replacing(each: "on|off", with: "on\\|off") }
        }
        return (["| flag | variable | default | meaning |", "| --- | --- | --- | --- |"] + rows)
            .joined(separator: "\n")
    }
}
