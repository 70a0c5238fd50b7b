package import Arguments
package import Budgets
package import EventLoops
import Files
import Glibc
package import RPC

/// What a service is given to work with.
package struct Runtime: Sendable {
    package let options: Options
    package let loops: EventLoopGroup
    /// Threads for work that blocks.
    package let blocking: BlockingPool
    package let log: Log
    package let key: DeploymentKey
    /// Name of the service, as peers see it.
    package let name: String
    package var tls = ServiceTLS.none
    /// What is read again at SIGHUP.
    package let certificates = Certificates()
    /// The memory that clients may make the process hold.
    package var memory = MemoryBudget(bytes: 1 << 30)
    /// The metrics that the service reports; it may add its own.
    package let metrics = MetricRegistry()
    private let clients = ClientMetrics()

    /// Adds the counts of the service's clients to `/metrics`.
    func addClientMetrics() { metrics.add { [clients] in await clients.families } }

    /// Warns when others can read the key: with it, calls can be made in any account's name.
    func warnOfReadableKey() {
        guard let path = options["--key-file"], SmallFile.isOpenToOthers(path) else { return }
        log.warning("the key file can be read by others", ["path": path, "advice": "chmod 600"])
    }

    /// A client for another service.
    /// - Parameter shown: what errors call it in place of its addresses, which only the log has then.
    package func client(_ target: Endpoint, shown: String? = nil) -> RPCClient {
        let client = RPCClient(
            target, group: loops, resolver: blocking, agent: name, tls: tls.client, name: shown)
        clients.add(client)
        return client
    }
}

extension Runtime {
    /// Binds the first address that the name in a flag's value has.
    package func listen(
        _ flag: String, _ bind: @Sendable (SocketAddress) async throws(SystemError) -> SocketAddress
    ) async throws -> SocketAddress {
        let endpoint = try options.endpoint(flag)
        let addresses = try await blocking.run { try endpoint.resolve() }
        guard let address = addresses.first else { throw OptionError("\(flag) \(endpoint) has no address") }
        do {
            return try await bind(address)
        } catch {
            guard error.code == EADDRINUSE else { throw error }
            throw AddressTaken(flag: flag, address: address)
        }
    }
}

/// The address of a flag is in use.
private struct AddressTaken: Error, CustomStringConvertible {
    let flag: String
    let address: SocketAddress

    var description: String {
        "\(address) is taken by another process; \(flag) chooses another address, port 0 a free one"
    }
}

/// The parts of a service that has started.
package struct StartedService: Sendable {
    /// The services it answers, besides echo and health.
    package let services: [any RPCService]
    /// Checks its calls; nil for the ordinary check of signed identities.
    package let admission: (any ServerInterceptor)?
    /// Which data it answers from, for clients that know several replicas by one name; "" for none of its own.
    package let data: String
    /// Methods that are registered explicitly.
    package let register: @Sendable (inout Router) -> Void
    /// Opens the other entrance, if there is one, once the server answers.
    package let open: @Sendable (Server) async throws -> (any ServiceDoor)?
    /// Ends the streams that would never end by themselves, before the remaining calls are waited for.
    package let leave: @Sendable () -> Void
    /// Releases what the service holds, after the last call.
    package let stop: @Sendable () async -> Void

    package init(
        services: [any RPCService] = [], admission: (any ServerInterceptor)? = nil, data: String = "",
        register: @escaping @Sendable (inout Router) -> Void = { _ in },
        open: @escaping @Sendable (Server) async throws -> (any ServiceDoor)? = { _ in nil },
        leave: @escaping @Sendable () -> Void = {},
        stop: @escaping @Sendable () async -> Void = {}
    ) {
        self.services = services
        self.admission = admission
        self.data = data
        self.register = register
        self.open = open
        self.leave = leave
        self.stop = stop
    }
}

/// Another entrance to a service, besides its RPC.
package protocol ServiceDoor: Sendable {
    /// Its name in the ready line: "http", "admin".
    var name: String { get }
    /// Its address, with the port that was chosen.
    var address: SocketAddress { get }
    /// Accepts no more clients, and waits for those it has, at most for `grace`.
    func close(grace: Duration) async
}
