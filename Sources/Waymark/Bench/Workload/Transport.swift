import RPC

/// A way to make the calls of a load.
protocol Transport: Sendable {
    /// What is called, for people.
    var target: String { get }

    /// One call with packed bytes there and back. `turn` spreads calls over connections.
    func call(_ method: MethodDescriptor, _ request: [UInt8], turn: Int) async throws(RPCError) -> [UInt8]
}

/// Over our own RPC, on some connections in turn.
struct RPCTransport: Transport {
    let clients: [RPCClient]
    let options: ClientOptions

    var target: String { options.target.description }

    func call(_ method: MethodDescriptor, _ request: [UInt8], turn: Int) async throws(RPCError) -> [UInt8] {
        try await clients[turn % clients.count].unaryBytes(method, request, options.call)
    }
}
