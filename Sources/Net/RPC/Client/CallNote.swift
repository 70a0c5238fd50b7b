import Synchronization

/// Notes to which of a target's addresses a call was sent, for a caller that wants to know. It names no address.
package final class CallNote: Sendable {
    /// Where a call was sent last.
    package struct Replica: Equatable, Sendable {
        /// From 1, in the order of the addresses' names.
        package let number: Int
        /// How many addresses the target had.
        package let count: Int
        /// How often the call was sent so far; more than once when it failed elsewhere.
        package let attempts: Int
    }

    private let last = Mutex<Replica?>(nil)

    package init() {}

    /// Nil when the call was not sent.
    package var replica: Replica? { last.withLock { $0 } }

    func sent(to number: Int, of count: Int) {
        last.withLock { $0 = Replica(number: number, count: count, attempts: ($0?.attempts ?? 0) + 1) }
    }
}
