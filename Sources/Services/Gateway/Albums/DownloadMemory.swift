import HTTP
import RPC
import Wire

/// What an archive holds while it is downloaded, for as long as its client likes: a picture, and what the archive's
/// page says of all. It is charged to the memory that clients share, as all that they hold; there is no other limit on
/// how many download at once.
enum DownloadMemory {
    static let bytes = 6 << 20

    /// Holds it for a request, to its end. RESOURCE_EXHAUSTED when the client holds its share of memory.
    static func hold(for request: HTTPRequest) throws(RPCError) {
        guard request.memory.hold(message: bytes) else {
            throw RPCError(
                .resourceExhausted, "you download as much at once as there is memory for; wait for the end of one",
                details: StatusDetails(retryAfterMs: 5_000))
        }
    }
}
