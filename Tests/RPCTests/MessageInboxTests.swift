import Synchronization
import Testing

@testable import RPC

@Suite("The messages of a stream before they are read", .timeLimit(.minutes(3)))
struct MessageInboxTests {
    /// Counts how many of its kind there are.
    private final class Message: Sendable {
        static let alive = Atomic(0)
        init() { Self.alive.wrappingAdd(1, ordering: .relaxed) }
        deinit { Self.alive.wrappingSubtract(1, ordering: .relaxed) }
    }

    @Test("are let go when they were read, also when the inbox is never empty")
    func letGo() throws {
        let inbox = unsafe MessageInbox<Message> { _ in Message() }
        inbox.open(window: 1 << 20) { _ in }
        let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        try unsafe inbox.receive(nothing)
        for _ in 0..<10_000 {
            try unsafe inbox.receive(nothing)
            guard case .message = inbox.read() else { throw RPCError(.internalError, "nothing was there") }
        }
        #expect(Message.alive.load(ordering: .relaxed) <= 130)
    }
}
