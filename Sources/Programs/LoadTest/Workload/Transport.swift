package import EventLoops
import FoundationEssentials
import HTTPClient
package import RPC
import Wire

/// A way to make the calls of a load.
package protocol Transport: Sendable {
    /// What is called, for people.
    var target: String { get }

    /// One call with packed bytes there and back. `turn` spreads calls over connections.
    func call(_ method: MethodDescriptor, _ request: [UInt8], turn: Int) async throws(RPCError) -> [UInt8]
}

extension Transport {
    /// One call beside the load. A target that refuses it because it is busy is asked again after a pause.
    func ask<Answer: WireMessage>(_ method: MethodDescriptor, _ request: some WireMessage) async throws -> Answer {
        for _ in 0..<20 {
            do {
                return try Answer(packed: try await call(method, request.packedBytes(), turn: 0))
            } catch let error as RPCError {
                guard error.code == .resourceExhausted else { throw error }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
        return try Answer(packed: try await call(method, request.packedBytes(), turn: 0))
    }
}

/// Over our own RPC, on some connections in turn.
package struct RPCTransport: Transport {
    package let target: String
    private let clients: [RPCClient]
    private let options: @Sendable () -> CallOptions

    /// - Parameter options: what each call has: a deadline from now on, and a token.
    package init(_ target: String, clients: [RPCClient], options: @escaping @Sendable () -> CallOptions) {
        self.target = target
        self.clients = clients
        self.options = options
    }

    package func call(_ method: MethodDescriptor, _ request: [UInt8], turn: Int) async throws(RPCError) -> [UInt8] {
        try await clients[turn % clients.count].unaryBytes(method, request, options())
    }
}

/// Over HTTP, as the Connect protocol has it (https://connectrpc.com/docs/protocol): a POST of packed bytes. A
/// connection carries one call at a time.
package struct HTTPTransport: Transport {
    package let target: String
    private let client: HTTPClient
    private let headers: [(name: String, value: String)]
    private let timeout: Duration

    private struct Failure: Decodable {
        let code: String
        let message: String?
    }

    /// - Parameters:
    ///   - target: the gateway's address, as in "http://127.0.0.1:7780", without a path's last slash.
    ///   - agent: what the calls say of this program.
    package init(
        _ target: String, connections: Int, on loop: EventLoop, agent: String, timeout: Duration, token: String
    ) {
        var limits = HTTPClient.Limits()
        limits.connections = connections
        limits.connectionsOfHost = connections
        self.target = target
        client = HTTPClient(loop: loop, agent: agent, limits: limits)
        self.timeout = timeout
        let authorization = token.isEmpty ? [] : [(name: "Authorization", value: "Bearer \(token)")]
        headers =
            [
                ("Content-Type", "application/proto"), ("Connect-Protocol-Version", "1"),
                ("Connect-Timeout-Ms", "\(timeout.clampedNanoseconds / 1_000_000)"),
            ] + authorization
    }

    package func close() async { await client.close() }

    package func call(_ method: MethodDescriptor, _ request: [UInt8], turn: Int) async throws(RPCError) -> [UInt8] {
        var post = HTTPClientRequest(url: "\(target)/\(method.path)", headers: headers, body: request)
        post.timeout = timeout
        let response: HTTPClientResponse
        do {
            response = try await client.send(post)
        } catch {
            throw failure(error)
        }
        guard response.status == 200 else { throw failure(response) }
        return response.body
    }

    private func failure(_ error: HTTPClientError) -> RPCError {
        switch error {
        case .timedOut: RPCError(.deadlineExceeded, "\(target) did not answer before the deadline")
        case .cancelled: RPCError(.cancelled, "the call was cancelled")
        case .tooLong: RPCError(.resourceExhausted, "\(target): \(error)")
        case .unusable: RPCError(.invalidArgument, "\(target): \(error)")
        case .cannotConnect, .brokenOff, .tls, .malformed, .closed: RPCError(.unavailable, "\(target): \(error)")
        }
    }

    /// What the answer's body says, or what its status means when it says nothing.
    private func failure(_ response: HTTPClientResponse) -> RPCError {
        guard let failure = try? JSONDecoder().decode(Failure.self, from: Data(response.body)) else {
            return RPCError(Self.code(ofStatus: response.status), "\(target) answers with HTTP \(response.status)")
        }
        let name = failure.code == "canceled" ? "cancelled" : failure.code
        let code = RPCCode.allCases.first { $0.description.lowercased() == name } ?? .unknown
        return RPCError(code, failure.message ?? "")
    }

    /// What the Connect protocol makes of an answer that is not its own.
    private static func code(ofStatus status: Int) -> RPCCode {
        switch status {
        case 400: .internalError
        case 401: .unauthenticated
        case 403: .permissionDenied
        case 404: .unimplemented
        case 429, 502, 503, 504: .unavailable
        default: .unknown
        }
    }
}
