import Synchronization

/// How much of an answer has come; to be read while it comes.
package final class TransferProgress: Sendable {
    private let count = Atomic(0)
    private let expected = Atomic(0)

    package init() {}

    /// Bytes of the body so far.
    package var received: Int { count.load(ordering: .relaxed) }
    /// Bytes that the server has announced; 0 when it has not.
    package var total: Int { expected.load(ordering: .relaxed) }

    func report(received: Int, of total: Int) {
        count.store(received, ordering: .relaxed)
        expected.store(total, ordering: .relaxed)
    }
}
