import EventLoops
import Synchronization
import Testing

/// A client that calls as always while what it calls is attacked: one call after the other.
final class HonestClient: Sendable {
    typealias Call = @Sendable () async throws -> Void

    /// What it has seen.
    struct Seen: Sendable, CustomStringConvertible {
        var milliseconds: [Double] = []
        var failures: [String] = []

        /// What 99 of 100 calls took at the most; nothing when none was answered.
        private var p99: Double { milliseconds.sorted().dropLast(milliseconds.count / 100).last ?? 0 }

        var description: String {
            "\(milliseconds.count) honest calls, \(failures.count) failed, p99 \(Int(p99.rounded())) ms"
        }
    }

    private let seen = Mutex(Seen())
    private let kinds: [(name: String, call: Call)]

    /// - Parameter kinds: what it calls, in turn.
    init(_ kinds: [(name: String, call: Call)]) { self.kinds = kinds }

    /// Calls during an attack, and some calls longer: also afterwards everything is as before.
    func calls(during attack: () async throws -> Void) async -> Seen {
        let calls = Task {
            while !Task.isCancelled {
                for kind in kinds { await note(kind.name, kind.call) }
            }
        }
        do {
            try await attack()
        } catch {
            Issue.record("the attack itself failed: \(error)")
        }
        let before = result.milliseconds.count
        while result.milliseconds.count + result.failures.count < before + 20 { await Task.yield() }
        calls.cancel()
        await calls.value
        return result
    }

    private var result: Seen { seen.withLock { $0 } }

    private func note(_ kind: String, _ call: Call) async {
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
