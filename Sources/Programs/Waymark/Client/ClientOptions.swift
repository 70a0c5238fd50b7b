import Arguments
import EventLoops
import RPC
import Supervisor

/// The gateway to call, and how long an answer may take.
struct ClientOptions: Sendable {
    let target: Target
    /// Nil when the command line gives none.
    let timeout: Duration?
    /// Lets this client in where the gateway is not open to all; empty when there is none.
    let token: String

    static let defaultPort: UInt16 = 7700
    static let defaultTarget = "127.0.0.1:\(defaultPort)"

    init(_ arguments: ParsedArguments) throws(UsageError) {
        target = try Target(arguments)
        timeout = try arguments.duration("timeout")
        token = try Self.token(arguments, for: target)
    }

    private init(target: Target, timeout: Duration?, token: String) {
        self.target = target
        self.timeout = timeout
        self.token = token
    }

    /// From a file, from the environment, or from the session that `waymark login` has begun: all users of a machine
    /// can see the arguments of a process.
    private static func token(_ arguments: ParsedArguments, for target: Target) throws(UsageError) -> String {
        guard let path = arguments.text("token-file") else {
            if let token = arguments.environment["WAYMARK_TOKEN"] { return token }
            return try SavedSessions(arguments.environment)?.token(for: target.endpoint) ?? ""
        }
        do {
            return try TokenFile.first(path) ?? ""
        } catch {
            throw UsageError("--token-file: \(error)")
        }
    }

    /// The same for another target, which speaks plain text.
    func aimed(at target: Endpoint) -> ClientOptions {
        ClientOptions(target: Target(target), timeout: timeout, token: token)
    }

    /// For a call that takes 10 seconds at most, unless the command line says otherwise.
    var call: CallOptions { withToken(CallOptions(timeout: timeout ?? .seconds(10))) }

    /// For long work, which may take as long as it needs, unless the command line says otherwise.
    var longCall: CallOptions { withToken(timeout.map { CallOptions(timeout: $0) } ?? CallOptions()) }

    private func withToken(_ options: CallOptions) -> CallOptions {
        var options = options
        options.token = token
        return options
    }
}

extension Flag {
    /// The flags of every command that calls a gateway.
    static let client = [
        Flag(
            "target", "HOST:PORT",
            "the gateway, or HOST,HOST:PORT for several (WAYMARK_TARGET; what `waymark target` has saved, or "
                + "\(ClientOptions.defaultTarget), when not given)",
            variable: "WAYMARK_TARGET"),
        Flag("timeout", "TIME", "give up after so long: 500ms, 10s, 2m"),
        Flag(
            "tls-ca", "FILE", "call over TLS; the authorities that sign the gateway's certificate (WAYMARK_TLS_CA)",
            variable: "WAYMARK_TLS_CA"),
        Flag(
            "tls-client-certificate", "FILE",
            "shown to a gateway that wants one (WAYMARK_TLS_CLIENT_CERTIFICATE)",
            variable: "WAYMARK_TLS_CLIENT_CERTIFICATE"),
        Flag(
            "tls-client-key", "FILE", "the certificate's key (WAYMARK_TLS_CLIENT_KEY)",
            variable: "WAYMARK_TLS_CLIENT_KEY"),
        Flag("token-file", "PATH", "a token that lets this client in, instead of `waymark login` (WAYMARK_TOKEN)"),
    ]
}
