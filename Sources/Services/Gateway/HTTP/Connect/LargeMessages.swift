import EventLoops
import RPC
import Synchronization

/// Decodes and encodes messages of megabytes on a thread: unpacking one, or converting it from JSON, takes a tenth of a
/// second, during which a loop would serve no other client. One at a time, so that they never use more than one
/// processor; clients take turns.
final class LargeMessages: Sendable {
    /// The size in bytes from which a message is large. Compressed ones always are: their unpacked size is unknown.
    static let threshold = 64 << 10
    private static let maximumWaiting = 64

    private let isClosed = Atomic(false)
    private let pool = BlockingPool(threadCount: 1, queueLimit: LargeMessages.maximumWaiting, name: "large-messages")

    /// Runs `body` at once, or for a large message on that thread.
    func run(
        isLarge: Bool, _ body: @escaping @Sendable () throws(RPCError) -> [UInt8]
    ) async throws(RPCError) -> [UInt8] {
        guard isLarge else { return try body() }
        do { return try await pool.run { try body() } } catch { throw RPCError(anyError: error) }
    }

    /// Ends the thread. Blocks until its current work is done. May be called again.
    func close() {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return }
        pool.close()
    }
}
