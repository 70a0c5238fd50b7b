import EventLoops
import RPC

/// The connection to one target, with the threads that serve it.
struct Link: Sendable {
    let client: RPCClient
    private let group: EventLoopGroup
    /// For looking names up, and for reading files.
    let blocking: BlockingPool

    /// Runs `body` with a link, and takes that down again however `body` ends.
    static func with<R>(_ target: Target, _ body: (Link) async throws -> R) async throws -> R {
        let link = try Link(target)
        let result: Result<R, any Error>
        do {
            result = .success(try await body(link))
        } catch {
            result = .failure(error)
        }
        await link.close()
        return try result.get()
    }

    private init(_ target: Target) throws {
        let tls = try target.tlsContext()
        group = try EventLoopGroup(count: 1)
        blocking = BlockingPool(threadCount: 2)
        client = RPCClient(
            target.endpoint, group: group, resolver: blocking, agent: "waymark \(Version.number)", tls: tls)
    }

    private func close() async {
        await client.close()
        // Both end within a turn: nothing is running on them any more.
        group.shutDown()
        blocking.close()
    }
}
