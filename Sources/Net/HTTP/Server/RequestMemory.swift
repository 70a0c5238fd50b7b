package import Budgets
internal import Synchronization

/// The memory that one request makes the server hold: its head, its body, what that is decoded to, and the answer that
/// waits for its reader. The code that handles the request reports how much that is.
package final class RequestMemory: Sendable {
    private struct State: ~Copyable {
        var request: MemoryAccount
        var answer: MemoryAccount
        var parts = Parts()
        /// What the answer is sent from.
        var block = 0
    }

    /// Bytes of the request.
    private struct Parts {
        var head = 0
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

    /// The head, and what is kept for the request as long as it is worked on, has so many bytes; false when there is no
    /// memory for them.
    func hold(head bytes: Int) -> Bool { set { $0.head = bytes } }

    /// Reports the bytes of the room for its body. False when there is no memory for them.
    func hold(body bytes: Int) -> Bool { set { $0.body = bytes } }

    /// Reports the bytes of the body unpacked, or decoded to a message. False when there is no memory for them.
    package func hold(message bytes: Int) -> Bool { set { $0.message = bytes } }

    private func set(_ change: (inout Parts) -> Void) -> Bool {
        state.withLock { state in
            var parts = state.parts
            change(&parts)
            guard state.request.hold(parts.head + parts.body + parts.message) else { return false }
            state.parts = parts
            return true
        }
    }

    /// The answer is known, and nothing is needed of the body any more.
    func forgetBody() {
        state.withLock { state in
            (state.parts.body, state.parts.message) = (0, 0)
            // Nothing more comes of this request: what it had is for others.
            state.request.settle(at: state.parts.head)
        }
    }

    /// The answer is sent from a block of so many bytes; false when there is no memory for it.
    func hold(block bytes: Int) -> Bool {
        state.withLock { state in
            guard state.answer.hold(bytes) else { return false }
            state.block = bytes
            return true
        }
    }

    /// So many bytes of the answer wait for its reader, or to be encoded; false when there is no memory for them.
    package func hold(answer bytes: Int) -> Bool { state.withLock { $0.answer.hold($0.block + bytes) } }
}
