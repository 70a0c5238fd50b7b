import Contracts
import EventLoops
import RPC
import Synchronization
import TestSupport
import Wire

/// Somebody who uses the gateway as usual while it is attacked: calls by RPC and by HTTP, over connections that stay
/// and over new ones, one after the other.
final class HonestClient: Sendable {
    /// What it has seen.
    struct Seen: Sendable {
        var milliseconds: [Double] = []
        var failures: [String] = []

        /// What 99 of 100 calls took at the most; nothing when none was answered.
        var p99: Double { milliseconds.sorted().dropLast(milliseconds.count / 100).last ?? 0 }
    }

    private let seen = Mutex(Seen())
    private let gateway: AttackedGateway

    init(_ gateway: AttackedGateway) { self.gateway = gateway }

    /// Calls until it is cancelled.
    func run() async {
        while !Task.isCancelled {
            await note("RPC") { try await gateway.echo() }
            await note("HTTP") { try await gateway.ask() }
            await note("new RPC connection") { try await gateway.echoAnew() }
        }
    }

    var result: Seen { seen.withLock { $0 } }

    private func note(_ kind: String, _ call: () async throws -> Void) async {
        let start = MonotonicTime.now
        do {
            try await call()
            let time = MonotonicTime.now.since(start) / .milliseconds(1)
            seen.withLock { $0.milliseconds.append(time) }
        } catch {
            if Task.isCancelled { return }
            seen.withLock { $0.failures.append("\(kind): \(error)") }
        }
    }
}
