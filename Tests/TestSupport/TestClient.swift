package import EventLoops
package import RPC
package import TLS

/// Makes clients with loops of their own.
package enum TestClient {
    /// A client for as long as `body` runs.
    package static func with<R>(
        _ target: Endpoint, loops: Int = 1, limits: Limits = Limits(), tls: TLSContext? = nil,
        name: String? = nil, _ body: (RPCClient) async throws -> R
    ) async throws -> R {
        let group = try EventLoopGroup(count: loops)
        let client = RPCClient(
            target, group: group, resolver: BlockingCalls.ofTested, agent: "test client", limits: limits,
            tls: tls, name: name)
        do {
            let result = try await body(client)
            await client.close()
            group.shutDown()
            return result
        } catch {
            await client.close()
            group.shutDown()
            throw error
        }
    }
}

extension TestServer {
    /// A client of this server for as long as `body` runs.
    package func withClient<R>(
        limits: Limits = Limits(), tls: TLSContext? = nil, _ body: (RPCClient) async throws -> R
    ) async throws -> R {
        try await TestClient.with(endpoint, limits: limits, tls: tls, body)
    }
}
