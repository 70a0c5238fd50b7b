package import Budgets
package import EventLoops
package import RPC
package import TLS

/// A real server in this process, on a free port, with loops of its own.
package struct TestServer: Sendable {
    package let server: Server
    package let address: SocketAddress
    package let group: EventLoopGroup
    private let host: String

    /// A loopback address that tests which need one port twice listen on: no other test takes the port in between.
    package static let quietHost = "127.77.0.1"

    /// The free port that it got.
    package var port: UInt16 { address.port }

    /// Where clients find it.
    package var endpoint: Endpoint { Endpoint(host: host, port: port) }

    /// Starts a server for as long as `body` runs. `host` and `port` are for taking the place of a server that is gone.
    package static func with<R>(
        _ router: Router, loops: Int = 1, host: String = "127.0.0.1", port: UInt16 = 0, limits: Limits = Limits(),
        interceptors: [any ServerInterceptor] = [], tls: TLSContext? = nil,
        memory: MemoryBudget = MemoryBudget(bytes: 1 << 30), _ body: (TestServer) async throws -> R
    ) async throws -> R {
        let server = try await TestServer(
            router, loops: loops, host: host, port: port, limits: limits, interceptors: interceptors, tls: tls,
            memory: memory)
        do {
            let result = try await body(server)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    /// Starts a server; `stop` has to be called.
    package init(
        _ router: Router, loops: Int = 1, host: String = "127.0.0.1", port: UInt16 = 0, limits: Limits = Limits(),
        interceptors: [any ServerInterceptor] = [], tls: TLSContext? = nil,
        memory: MemoryBudget = MemoryBudget(bytes: 1 << 30), data: String = ""
    ) async throws {
        group = try EventLoopGroup(count: loops)
        server = Server(
            router, group: group, interceptors: interceptors, limits: limits, tls: tls, memory: memory,
            agent: "test server", data: data)
        self.host = host
        let any = try await BlockingCalls.run { try Endpoint(host: host, port: port).resolve() }
        address = try await server.listen(on: any[0])
    }

    /// Stops at once: what still runs is cancelled.
    package func stop() async {
        await server.shutDown(grace: .zero)
        group.shutDown()
    }
}
