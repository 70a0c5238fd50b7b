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

    /// The value of a flag, or its default.
    package subscript(_ flag: String) -> String? { value(of: option(flag)) }

    private func value(of option: Option) -> String? { given.setting(option.name)?.text ?? option.defaultValue }

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

    /// A whole number in the range that the option allows.
    package func integer(_ flag: String) throws(OptionError) -> Int {
        guard case .whole(let range) = option(flag).range else { preconditionFailure("\(flag) is no whole number") }
        let text = try required(flag)
        guard let number = Int(text), range.contains(number) else {
            throw refusal(flag, text, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A number in the range that the option allows.
    package func number(_ flag: String) throws(OptionError) -> Double {
        guard case .decimal(let range) = option(flag).range else { preconditionFailure("\(flag) is no number") }
        let text = try required(flag)
        guard let number = Double(text), range.contains(number) else {
            throw refusal(flag, text, "a number from \(NumberRange.decimal(range))")
        }
        return number
    }

    private func refusal(_ flag: String, _ text: String, _ needed: String) -> OptionError {
        OptionError("\(flag) is \(text), \(needed) is needed")
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

    private func option(_ flag: String) -> Option {
        guard let option = options.first(where: { $0.flag == flag }) else {
            preconditionFailure("the option \(flag) was not declared")
        }
        return option
    }
}
