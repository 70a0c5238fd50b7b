import Arguments
import EventLoops
import TLS

/// The address to call, and how to verify it.
struct Target: Sendable, CustomStringConvertible {
    let endpoint: Endpoint
    /// Nil when it speaks plain text.
    let tls: TLSContext.Files?

    var description: String { endpoint.description }

    /// A target that speaks plain text.
    init(_ endpoint: Endpoint) {
        self.endpoint = endpoint
        tls = nil
    }

    /// From `Flag.client` and the variables.
    init(_ arguments: ParsedArguments) throws(UsageError) {
        let (source, text) = try Self.address(arguments)
        guard let endpoint = Endpoint(text, defaultPort: ClientOptions.defaultPort), endpoint.port != 0 else {
            throw UsageError("\(source) is \(text), allowed is HOST:PORT such as \(ClientOptions.defaultTarget)")
        }
        self.endpoint = endpoint
        tls = try Self.files(arguments)
    }

    /// What the command line says, else the environment, else what `waymark target` has saved.
    private static func address(_ arguments: ParsedArguments) throws(UsageError) -> (source: String, text: String) {
        if let given = arguments.setting("target") { return given }
        if let saved = try SavedTarget(arguments.environment)?.address() { return ("the saved target", saved) }
        return ("", ClientOptions.defaultTarget)
    }

    /// What TLS needs of the settings. Blocks.
    func tlsContext() throws(UsageError) -> TLSContext? {
        guard let tls else { return nil }
        do {
            return try TLSContext(.client, tls)
        } catch {
            throw UsageError("\(error)")
        }
    }

    private static func files(_ arguments: ParsedArguments) throws(UsageError) -> TLSContext.Files? {
        let certificate = arguments.setting("tls-client-certificate")
        let key = arguments.setting("tls-client-key")
        let authorities = arguments.setting("tls-ca")
        for (given, other, name) in [
            (certificate, key, "--tls-client-key"), (key, certificate, "--tls-client-certificate"),
            (certificate, authorities, "--tls-ca"),
        ] {
            if let given, other == nil { throw UsageError("\(given.source) needs \(name)") }
        }
        return authorities.map {
            TLSContext.Files(certificate: certificate?.text, key: key?.text, authorities: $0.text)
        }
    }
}
