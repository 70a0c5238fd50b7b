package import EventLoops

/// Threads for what blocks in tests: raw sockets, processes, the resolver.
package enum BlockingCalls {
    package static let pool = BlockingPool(threadCount: 256, queueLimit: 100_000, name: "test")

    /// Runs `body` off the cooperative pool, to its end.
    package static func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await pool.run(body)
    }
}
