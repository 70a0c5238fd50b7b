import EventLoops
import HTTP
import RPC
import Refusals

/// How long a caller waits, from `Connect-Timeout-Ms` or gRPC's `grpc-timeout`.
struct CallTimeout {
    /// For calls without the header.
    private static let standard: Duration = .seconds(30)
    private static let name = "connect-timeout-ms"
    /// In milliseconds: ten digits, as the protocol has it.
    static let longest: Int64 = 9_999_999_999

    /// The caller's value; nil when there is none.
    let given: Duration?

    /// For a caller without the header.
    static let none = CallTimeout(given: nil)

    private init(given: Duration?) { self.given = given }

    init(_ request: HTTPRequest) throws(RPCError) {
        if GRPCFormat(request.headers["content-type"]) != nil {
            given = try Self.ofGRPC(request.headers.values(Self.nameInGRPC))
            return
        }
        let values = request.headers.values(Self.name)
        if values.isEmpty {
            given = nil
            return
        }
        // Two are as bad as none that can be read.
        let text = values.joined(separator: ", ")
        guard text.utf8.count <= 10, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let milliseconds = Int64(text),
            milliseconds > 0
        else {
            throw Refusal(Self.name, text: text, allowed: "milliseconds from 1 to \(Self.longest) are").rpcError
        }
        given = .milliseconds(milliseconds)
    }

    private static let nameInGRPC = "grpc-timeout"

    /// Up to eight digits and a unit
    /// (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md): "100m" are milliseconds.
    private static func ofGRPC(_ values: [String]) throws(RPCError) -> Duration? {
        if values.isEmpty { return nil }
        let text = values.joined(separator: ", ")
        let digits = text.utf8.prefix { $0 >= 48 && $0 <= 57 }
        guard (1...8).contains(digits.count), text.utf8.count == digits.count + 1, let unit = text.utf8.last,
            let count = Int64(String(digits) ?? "")
        else { throw unreadable(text) }
        let given: Duration =
            switch unit {
            case UInt8(ascii: "H"): .seconds(count * 3600)
            case UInt8(ascii: "M"): .seconds(count * 60)
            case UInt8(ascii: "S"): .seconds(count)
            case UInt8(ascii: "m"): .milliseconds(count)
            case UInt8(ascii: "u"): .microseconds(count)
            case UInt8(ascii: "n"): .nanoseconds(count)
            default: throw unreadable(text)
            }
        return min(given, .milliseconds(longest))
    }

    private static func unreadable(_ text: String) -> RPCError {
        Refusal(nameInGRPC, text: text, allowed: "one to eight digits and one of H, M, S, m, u and n are").rpcError
    }

    /// That of a request whose route is a call; the usual one elsewhere.
    static func of(_ head: HTTPRequest, at route: Route?) -> Result<CallTimeout, RPCError> {
        guard case .connect = route?.time else { return .success(.none) }
        return Result { () throws(RPCError) in try CallTimeout(head) }
    }

    /// Stops the body of a stream when the caller's time is over.
    func bound(_ body: @escaping @Sendable () async throws -> Void) async throws(RPCError) {
        do {
            guard let given else { return try await body() }
            let end: Void? = try await withTimeLimit(given) { try await body() }
            if end == nil { throw RPCError.tooLate }
        } catch {
            throw RPCError(anyError: error)
        }
    }

    /// How long a call of this kind may take, at most `limit`; a stream may be without a limit.
    func limit(_ method: MethodDescriptor, at limit: Duration) -> Duration? {
        method.kind == .unary ? min(given ?? Self.standard, limit) : given
    }
}
