internal import CPQ

/// Sees what a server warns of besides its answers. One of these warnings matters: a COMMIT whose wait for a standby
/// was broken off is answered as done, though no other server may have it.
@safe
final class PostgresWarnings {
    private var hasCome = false

    /// Sets itself as what the connection's warnings go to; its owner keeps this for as long as the connection.
    @unsafe
    func listen(to connection: OpaquePointer) {
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe PQsetNoticeReceiver(
            connection,
            { context, result in
                guard let context = unsafe context, let result = unsafe result else { return }
                guard unsafe PostgresWarnings.isOfStandby(result) else { return }
                unsafe Unmanaged<PostgresWarnings>.fromOpaque(context).takeUnretainedValue().hasCome = true
            }, me)
    }

    /// Whether one has come since the last look.
    func take() -> Bool {
        defer { hasCome = false }
        return hasCome
    }

    /// By the place in the server's source: its words are in the server's language, and its code is that of all others.
    @unsafe
    private static func isOfStandby(_ result: OpaquePointer) -> Bool {
        let place = unsafe PQresultErrorField(result, CInt(UInt8(ascii: "R"))).map { unsafe String(cString: $0) }
        return place == "SyncRepWaitForLSN"
    }
}
