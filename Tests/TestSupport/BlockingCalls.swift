package import EventLoops

/// Threads for what blocks in tests: raw sockets and processes, and the resolver and files of the code under test.
package enum BlockingCalls {
    /// For the code under test. Apart from the tests' own, all of which may be waiting for this code.
    package static let ofTested = BlockingPool(threadCount: 16, queueLimit: 100_000, name: "tested")
    private static let ofTests = BlockingPool(threadCount: 256, queueLimit: 100_000, name: "test")

    /// Runs `body` off the cooperative pool, to its end.
    package static func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await ofTests.run(body)
    }
}
