import Synchronization

@testable import Storage

/// Holds a storage thread inside a transaction until the test opens it. It blocks that thread, which is there to be
/// blocked, and no task.
final class Gate: Sendable {
    private let queue = WorkQueue<Void>(limit: 1)

    private let isReached = Atomic(false)

    func pass() {
        isReached.store(true, ordering: .releasing)
        _ = queue.waitForNext()
    }

    /// Returns when a thread stands at the gate.
    func untilReached() async {
        while !isReached.load(ordering: .acquiring) { await Task.yield() }
    }

    func open() { _ = queue.close() }
}

extension Database {
    /// Keeps the writer busy until `gate` opens.
    func holdWriter(_ gate: Gate) async throws(SQLError) {
        try await write { _ throws(SQLError) in gate.pass() }
    }

    /// Keeps a reader busy until `gate` opens, with a view of what is there now.
    func hold(_ gate: Gate) async throws(SQLError) {
        try await read { transaction throws(SQLError) in
            _ = try transaction.first("SELECT 1 FROM items") { _ throws(SQLError) in true }
            gate.pass()
        }
    }

    /// Returns when so many writing transactions wait.
    func untilWaiting(writes count: Int) async {
        while metrics.waitingWrites != count { await Task.yield() }
    }

    /// Returns when so many reading transactions wait.
    func untilWaiting(reads count: Int) async {
        while metrics.waitingReads != count { await Task.yield() }
    }
}
