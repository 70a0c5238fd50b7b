import Arguments

/// One setting of a program: a flag, which also is an environment variable.
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

extension Option {
    /// Without the dashes, as the parser knows it.
    fileprivate var name: String { String(flag.drop { $0 == "-" }) }

    fileprivate var parsedFlag: Flag {
        var parsed = value.map { Flag(name, $0, help, isRepeatable: true) } ?? Flag(name, help)
        parsed.variable = variable
        return parsed
    }
}

/// What a program does at a path that it is given.
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
    private let given: ParsedArguments

    /// Reads arguments (without the program's name) and the environment; an argument wins, and of two the last.
    package init(_ options: [Option], arguments: [String], environment: [String: String]) throws(OptionError) {
        self.options = options
        let syntax = CommandSyntax(words: ["this program"], summary: "", flags: options.map(\.parsedFlag))
        do throws(UsageError) {
            var parser = ArgumentParser(syntax, common: [], environment: environment)
            given = try parser.parse(arguments[...])
        } catch {
            throw OptionError("\(error); --help lists what is taken")
        }
    }

    /// The value of a flag, or its fallback.
    package subscript(_ flag: String) -> String? { value(of: option(flag)) }

    private func value(of option: Option) -> String? { given.setting(option.name)?.text ?? option.fallback }

    /// Whether a flag without a value is set. In the environment, "0", "no" and "false" leave it unset.
    package func isSet(_ flag: String) -> Bool {
        let option = option(flag)
        if given.has(option.name) { return true }
        guard let value = given.setting(option.name)?.text else { return false }
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
            guard let value = value(of: option) else { return nil }
            return (option.flag, option.isSecret ? "(secret)" : value)
        }
    }

    /// The paths among the values, and how each is used.
    package var paths: [(path: String, access: PathAccess)] {
        options.compactMap { option in
            guard let access = option.access, let path = value(of: option) else { return nil }
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
