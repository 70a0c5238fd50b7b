package import Budgets
internal import Synchronization

/// The memory that one request makes the server hold: its body, what that is decoded to, and the answer that waits for
/// its reader. The code that handles the request reports how much that is.
package final class RequestMemory: Sendable {
    private struct State: ~Copyable {
        var request: MemoryAccount
        var answer: MemoryAccount
        var body = 0
        var message = 0
    }

    /// Who sent the request, and how far that client is trusted.
    package let client: ClientKey
    package let standing: ClientStanding
    /// Who its handler works for.
    var sharer: Sharer { Sharer(client, standing) }
    private let state: Mutex<State>

    /// For requests that count towards no budget.
    package static let unbounded = RequestMemory(MemoryBudget(bytes: .max), .unknown, .trusted)

    init(_ budget: MemoryBudget, _ client: ClientKey, _ standing: ClientStanding) {
        self.client = client
        self.standing = standing
        state = Mutex(
            State(
                request: MemoryAccount(budget, client, standing, .bodies),
                answer: MemoryAccount(budget, client, standing, .answers)))
    }

    /// The body has so many bytes now; false when there is no memory for them.
    func hold(body bytes: Int) -> Bool {
        state.withLock { state in
            guard state.request.hold(bytes + state.message) else { return false }
            state.body = bytes
            return true
        }
    }

    /// The body is unpacked, or decoded to a message, of so many bytes; false when there is no memory for that.
    package func hold(message bytes: Int) -> Bool {
        state.withLock { state in
            guard state.request.hold(state.body + bytes) else { return false }
            state.message = bytes
            return true
        }
    }

    /// So many bytes of the answer wait for its reader; false when there is no memory for them.
    func hold(answer bytes: Int) -> Bool { state.withLock { $0.answer.hold(bytes) } }
}
