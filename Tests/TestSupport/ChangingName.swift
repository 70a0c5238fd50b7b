package import EventLoops
package import RPC
import Synchronization

/// A name whose addresses a test sets.
package final class ChangingName: Sendable {
    private struct NotFound: Error {}

    private let addresses: Mutex<[SocketAddress]?>
    /// How often it was looked up.
    package let lookups = Tally()

    package init(_ addresses: [SocketAddress]) { self.addresses = Mutex(addresses) }

    /// From now on lookups give these; nil lets them fail.
    package func set(_ new: [SocketAddress]?) { addresses.withLock { $0 = new } }

    /// What a client asks.
    package var lookUp: AddressLookup {
        {
            defer { self.lookups.add() }
            guard let found = self.addresses.withLock({ $0 }) else { throw NotFound() }
            return found
        }
    }

    /// A client of this name for as long as `body` runs.
    package func withClient<R>(
        loops: Int = 1, limits: Limits = Limits(), rules: BalancingRules = BalancingRules(),
        _ body: (RPCClient) async throws -> R
    ) async throws -> R {
        let group = try EventLoopGroup(count: loops)
        let client = RPCClient(
            Endpoint(host: "name.test", port: 1), group: group, agent: "test client", limits: limits, rules: rules,
            lookUp: lookUp)
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
    /// Servers on loopback addresses of their own, 127.0.0.1, 127.0.0.2 and so on, for as long as `body` runs.
    package static func with<R>(
        each routers: [Router], limits: Limits = Limits(), data: [String] = [], _ body: ([TestServer]) async throws -> R
    ) async throws -> R {
        var servers: [TestServer] = []
        for (index, router) in routers.enumerated() {
            servers.append(
                try await TestServer(
                    router, host: "127.0.0.\(index + 1)", limits: limits, data: index < data.count ? data[index] : ""))
        }
        do {
            let result = try await body(servers)
            for server in servers { await server.stop() }
            return result
        } catch {
            for server in servers { await server.stop() }
            throw error
        }
    }
}

extension [TestServer] {
    /// A name that has the addresses of all.
    package var name: ChangingName { ChangingName(map(\.address)) }
}
