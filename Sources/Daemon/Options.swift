/// One setting of a program: a flag that is also an environment variable.
package struct Option: Sendable {
    /// "--listen"
    package let flag: String
    /// What its value is, for the help text; nil for a flag without a value.
    package let value: String?
    /// "WAYMARK_LISTEN"; nil when only the flag is known.
    package let variable: String?
    package let help: String
    /// The value when none is given.
    package let fallback: String?
    /// How the program uses the path that is its value; nil when the value is not a path.
    package let access: PathAccess?
    /// Whether its value is left out when the configuration is printed.
    package let isSecret: Bool

    package init(
        _ flag: String, _ value: String? = nil, variable: String? = nil, fallback: String? = nil,
        isSecret: Bool = false, access: PathAccess? = nil,
        help: String
    ) {
        self.access = access
        self.flag = flag
        self.value = value
        self.variable = variable
        self.fallback = fallback
        self.isSecret = isSecret
        self.help = help
    }
}

/// How a program uses a path that it is given.
package enum PathAccess: Sendable {
    case readsFile
    /// Reads the file repeatedly, also when another file has replaced it.
    case readsReplacedFile
    case readsFolder, writesFolder
}

/// Why the settings can't be used. The sentence names the flag, the value and what is allowed.
package struct OptionError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// The settings of a process, read once.
package struct Options: Sendable {
    private let options: [Option]
    private var values: [String: String] = [:]

    /// Reads arguments (without the program's name) and the environment; an argument wins.
    package init(_ options: [Option], arguments: [String], environment: [String: String]) throws(OptionError) {
        self.options = options
        for option in options {
            if let variable = option.variable, let value = environment[variable], !value.isEmpty {
                values[option.flag] = value
            }
        }
        var rest = arguments[...]
        while let argument = rest.popFirst() { try read(argument, &rest) }
    }

    private mutating func read(_ argument: String, _ rest: inout ArraySlice<String>) throws(OptionError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let flag = parts.first.map(String.init) ?? ""
        guard let option = options.first(where: { $0.flag == flag }) else {
            throw OptionError("\(argument) is not known; --help lists what is")
        }
        guard option.value != nil else {
            guard parts.count == 1 else { throw OptionError("\(flag) takes no value") }
            values[flag] = "1"
            return
        }
        guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
            throw OptionError("\(flag) needs a value: \(option.value ?? "")")
        }
        values[flag] = value
    }

    /// The value of a flag, or its fallback.
    package subscript(_ flag: String) -> String? { values[flag] ?? option(flag).fallback }

    /// Whether a flag without a value is set. In the environment, "0", "no" and "false" leave it unset.
    package func isSet(_ flag: String) -> Bool {
        guard let value = values[flag] else { return false }
        return !["0", "no", "false"].contains(value.lowercased())
    }

    /// A value that must be there.
    package func required(_ flag: String) throws(OptionError) -> String {
        if let value = self[flag] { return value }
        let variable = option(flag).variable.map { " or \($0)" } ?? ""
        throw OptionError("\(flag)\(variable) must be given: \(option(flag).help)")
    }

    /// A whole number within a range.
    package func integer(_ flag: String, in range: ClosedRange<Int>) throws(OptionError) -> Int {
        let text = try required(flag)
        guard let number = Int(text), range.contains(number) else {
            throw OptionError(
                "\(flag) is \(text), a whole number from \(range.lowerBound) to \(range.upperBound) is needed")
        }
        return number
    }

    /// A number within a range.
    package func number(_ flag: String, in range: ClosedRange<Double>) throws(OptionError) -> Double {
        let text = try required(flag)
        guard let number = Double(text), range.contains(number) else {
            throw OptionError("\(flag) is \(text), a number from \(range.lowerBound) to \(range.upperBound) is needed")
        }
        return number
    }

    /// All settings with their values, secrets left out.
    package var printable: [(flag: String, value: String)] {
        options.compactMap { option in
            guard let value = self[option.flag] else { return nil }
            return (option.flag, option.isSecret ? "(secret)" : value)
        }
    }

    /// The paths among the values, and how each is used.
    package var paths: [(path: String, access: PathAccess)] {
        options.compactMap { option in
            guard let access = option.access, let path = self[option.flag] else { return nil }
            return (path, access)
        }
    }

    /// The help text: one line per option.
    package var help: String { Self.help(options) }

    package static func help(_ options: [Option]) -> String {
        let names = options.map { "\($0.flag)\($0.value.map { " \($0)" } ?? "")" }
        let width = (names.map(\.count).max() ?? 0) + 2
        return zip(names, options).map { name, option in
            let padding = String(repeating: " ", count: width - name.count)
            let source = [option.variable, option.fallback.map { "default \($0)" }].compactMap(\.self)
            return "  \(name)\(padding)\(option.help)\(source.isEmpty ? "" : " [\(source.joined(separator: "; "))]")"
        }.joined(separator: "\n")
    }

    private func option(_ flag: String) -> Option {
        guard let option = options.first(where: { $0.flag == flag }) else {
            preconditionFailure("the option \(flag) was not declared")
        }
        return option
    }
}
