import Arguments
package import EventLoops
import HTTP

/// The entrance for those who run a service: HTTP on a port of its own.
package struct AdminDoor: ServiceDoor {
    /// The value that switches it off.
    private static let none = "none"

    package let name = "admin"
    package let address: SocketAddress
    private let server: HTTPServer

    /// Listens at the address in `--admin`; nil when that switches it off.
    static func open(_ runtime: Runtime, _ health: ServingHealth) async throws -> AdminDoor? {
        guard runtime.options["--admin"] != none else { return nil }
        var limits = HTTPLimits()
        limits.connections = 64
        limits.bodyBytes = 0
        let isLocal = try runtime.options.endpoint("--admin").isLoopback
        let responder = AdminResponder(health, runtime.metrics, isLocal: isLocal)
        let server = HTTPServer(responder, group: runtime.loops, limits: limits)
        let address = try await runtime.listen("--admin") { address throws(SystemError) in
            try await server.listen(on: address)
        }
        return AdminDoor(address: address, server: server)
    }

    private init(address: SocketAddress, server: HTTPServer) {
        self.address = address
        self.server = server
    }

    package func close(grace: Duration) async { await server.shutDown(grace: grace) }
}
