/// What a command is called, takes and does: the table that the parser and the help text are made from.
struct CommandSyntax: Sendable {
    /// The words that name it: ["dataset", "list"].
    let words: [String]
    /// What it does, in a short sentence.
    let summary: String
    var positionals: [Positional] = []
    var flags: [Flag] = []
    /// Command lines to copy, without the leading "waymark".
    var examples: [String] = []

    var name: String { words.joined(separator: " ") }
}

/// A value that is told by its place.
struct Positional: Sendable {
    /// In capitals: "LAT".
    let name: String
    let summary: String
    var isOptional = false
    /// Whether more of them may follow. Only the last one of a command.
    var isRepeatable = false
}

/// A value or a switch that is told by its name.
struct Flag: Sendable {
    /// Without the dashes: "radius".
    let name: String
    /// What stands for its value in the help text: "METRES". Nil for a switch.
    let value: String?
    let summary: String
    var isRepeatable = false
    /// A letter that stands for it behind a single dash.
    var letter: Character?

    /// A switch.
    init(_ name: String, _ summary: String) {
        self.name = name
        self.value = nil
        self.summary = summary
    }

    /// A flag with a value.
    init(
        _ name: String, _ value: String, _ summary: String, isRepeatable: Bool = false, letter: Character? = nil
    ) {
        self.letter = letter
        self.name = name
        self.value = value
        self.summary = summary
        self.isRepeatable = isRepeatable
    }
}

extension Flag {
    /// What every command takes.
    static let common = [
        Flag("json", "answer for programs: JSON"),
        Flag("help", "show this text"),
    ]

    /// What every command takes that changes something.
    static let change = [
        Flag("request-id", "NAME", "names the change; asked for again under this name it is made once")
    ]

    /// What every command takes that calls a gateway.
    static let client = [
        Flag("target", "HOST:PORT", "the gateway (WAYMARK_TARGET; \(ClientOptions.defaultTarget) when not given)"),
        Flag("timeout", "TIME", "give up after so long: 500ms, 10s, 2m"),
        Flag("tls-ca", "FILE", "call over TLS; the authorities that sign the gateway's certificate (WAYMARK_TLS_CA)"),
        Flag("tls-client-certificate", "FILE", "shown to a gateway that wants one (WAYMARK_TLS_CLIENT_CERTIFICATE)"),
        Flag("tls-client-key", "FILE", "the certificate's key (WAYMARK_TLS_CLIENT_KEY)"),
        Flag("token-file", "PATH", "a token that lets this client in, when the gateway wants one (WAYMARK_TOKEN)"),
    ]
}
