import Arguments
import EventLoops
import RPC

/// The connections to one target, with the threads that serve them.
struct TargetLink: Sendable {
    /// One for each connection; all on one loop.
    let clients: [RPCClient]
    /// The first of them.
    let client: RPCClient
    private let group: EventLoopGroup
    /// For looking names up, and for reading files.
    let blocking: BlockingPool

    /// The loop that all calls are made on.
    var loop: EventLoop { client.loop }

    /// Runs `body` with a link of so many connections, at least 1, and takes that down again however `body` ends.
    static func with<R>(
        _ target: Target, connections: Int = 1, _ body: (TargetLink) async throws -> R
    ) async throws -> R {
        let link = try TargetLink(target, connections: connections)
        let result: Result<R, any Error>
        do {
            result = .success(try await body(link))
        } catch {
            result = .failure(error)
        }
        await link.close()
        return try result.get()
    }

    private init(_ target: Target, connections: Int) throws {
        let tls = try target.tlsContext()
        let group = try EventLoopGroup(count: 1)
        let blocking = BlockingPool(threadCount: 2)
        func client() -> RPCClient {
            RPCClient(
                target.endpoint, group: group, resolver: blocking, agent: Release.agent, tls: tls)
        }
        let first = client()
        self.group = group
        self.blocking = blocking
        self.client = first
        clients = [first] + (1..<max(1, connections)).map { _ in client() }
    }

    private func close() async {
        for client in clients { await client.close() }
        // Both end within a turn: nothing is running on them any more.
        group.shutDown()
        blocking.close()
    }
}
