/// The name, arguments and summary of a command: the table from which the parser and the help text are made.
package struct CommandSyntax: Sendable {
    /// The words that name it: ["dataset", "list"].
    package let words: [String]
    /// What it does, in a short sentence.
    package let summary: String
    package var positionals: [Positional] = []
    package var flags: [Flag] = []
    /// Command lines to copy, without the leading "waymark".
    package var examples: [String] = []

    package init(
        words: [String], summary: String, positionals: [Positional] = [], flags: [Flag] = [], examples: [String] = []
    ) {
        self.words = words
        self.summary = summary
        self.positionals = positionals
        self.flags = flags
        self.examples = examples
    }

    /// "dataset list"
    package var name: String { words.joined(separator: " ") }
}

/// A value that is recognised by its position.
package struct Positional: Sendable {
    /// In capitals: "LAT".
    package let name: String
    package let summary: String
    package var isOptional = false
    /// Whether more of them may follow. Only the last one of a command.
    package var isRepeatable = false

    package init(name: String, summary: String, isOptional: Bool = false, isRepeatable: Bool = false) {
        self.name = name
        self.summary = summary
        self.isOptional = isOptional
        self.isRepeatable = isRepeatable
    }
}

/// A value or a switch that is recognised by its name.
package struct Flag: Sendable {
    /// Without the dashes: "radius".
    package let name: String
    /// The placeholder of its value in the help text: "METRES". Nil for a switch.
    package let value: String?
    package let summary: String
    package var isRepeatable = false
    /// Its short form, a letter after a single dash.
    package var letter: Unicode.Scalar?
    /// The environment variable that is used when the command line does not set it: "WAYMARK_TARGET".
    package var variable: String?

    /// A switch.
    package init(_ name: String, _ summary: String) {
        self.name = name
        self.value = nil
        self.summary = summary
    }

    /// A flag with a value.
    package init(
        _ name: String, _ value: String, _ summary: String, isRepeatable: Bool = false, letter: Unicode.Scalar? = nil,
        variable: String? = nil
    ) {
        self.letter = letter
        self.variable = variable
        self.name = name
        self.value = value
        self.summary = summary
        self.isRepeatable = isRepeatable
    }
}

extension Flag {
    /// The flags that every command accepts.
    package static let common = [
        Flag("json", "answer for programs: JSON"),
        Flag("help", "show this text"),
    ]
}
