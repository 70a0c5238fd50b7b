import EventLoops
import RPC
import Synchronization
import Wire

/// Where messages of megabytes are read and written: unpacking one, or making it of JSON, takes a tenth of a second,
/// for which a loop would stand still for everybody. One at a time, so that they never have more than one processor.
final class LargeMessages: Sendable {
    /// Bytes from which on a message is large. Compressed ones are: nobody knows what they become.
    static let threshold = 64 << 10
    private static let mostWaiting = 64

    private let isClosed = Atomic(false)
    private let pool = BlockingPool(threadCount: 1, queueLimit: LargeMessages.mostWaiting, name: "large-messages")

    /// Runs `body` at once, or for a large message on the thread for those.
    func run(
        isLarge: Bool, _ body: @escaping @Sendable () throws(RPCError) -> [UInt8]
    ) async throws(RPCError) -> [UInt8] {
        guard isLarge else { return try body() }
        do {
            return try await pool.run { try body() }
        } catch {
            guard error is BlockingPool.Refusal else { throw RPCError(anyError: error) }
            throw RPCError(
                .resourceExhausted, "too many large messages are being read",
                details: StatusDetails(retryAfterMs: 1000))
        }
    }

    /// Ends the thread. Blocks until what it works on is done. May be called again.
    func close() {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return }
        pool.close()
    }
}
