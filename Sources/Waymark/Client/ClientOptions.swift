import EventLoops
import RPC

/// Which gateway is called, and how long an answer may take.
struct ClientOptions: Sendable {
    let target: Endpoint
    /// Nil when the command line names none.
    let timeout: Duration?

    static let defaultPort: UInt16 = 7700
    static let defaultTarget = "127.0.0.1:\(defaultPort)"

    init(_ arguments: ParsedArguments) throws(UsageError) {
        let variable = arguments.environment["WAYMARK_TARGET"].flatMap { $0.isEmpty ? nil : $0 }
        let (source, text) =
            arguments.text("target").map { ("--target", $0) } ?? ("WAYMARK_TARGET", variable ?? Self.defaultTarget)
        guard let target = Endpoint(text, defaultPort: Self.defaultPort), target.port != 0 else {
            throw UsageError("\(source) is \(text), allowed is HOST:PORT such as \(Self.defaultTarget)")
        }
        self.target = target
        timeout = try arguments.duration("timeout")
    }

    private init(target: Endpoint, timeout: Duration?) {
        self.target = target
        self.timeout = timeout
    }

    /// The same for another target.
    func aimed(at target: Endpoint) -> ClientOptions { ClientOptions(target: target, timeout: timeout) }

    /// For a call that takes 10 seconds at most, unless the command line says otherwise.
    var call: CallOptions { CallOptions(timeout: timeout ?? .seconds(10)) }

    /// For long work, which may take as long as it needs, unless the command line says otherwise.
    var longCall: CallOptions { timeout.map { CallOptions(timeout: $0) } ?? CallOptions() }
}
