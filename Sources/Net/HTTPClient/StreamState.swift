import EventLoops

/// What has come of an answer that is read as it comes, and was not read yet. Used on its client's loop alone.
final class StreamState {
    /// Bytes from which on the server has to wait for the reader; libcurl's own piece may come on top.
    private static let window = 256 << 10

    private var bytes: [UInt8] = []
    /// Whether libcurl holds bytes back until there is room.
    private(set) var isPaused = false
    /// How the answer ended.
    private var end: Result<Void, HTTPClientError>?
    private var reader: Waiter<Void>?

    /// Whether more bytes are taken; else libcurl holds them.
    var hasRoom: Bool {
        isPaused = bytes.count >= Self.window
        return !isPaused
    }

    /// Adds bytes that came.
    func take(_ piece: UnsafeRawBufferPointer) {
        unsafe bytes.append(contentsOf: piece)
        wake()
    }

    /// Nothing more comes.
    func finish(_ result: Result<Void, HTTPClientError>) {
        if end == nil { end = result }
        wake()
    }

    /// What there is to read: bytes, or the end as none; nil when the reader has to wait.
    func next() -> Result<[UInt8], HTTPClientError>? {
        guard bytes.isEmpty else {
            defer { bytes = [] }
            return .success(bytes)
        }
        return end?.map { [] }
    }

    /// The one reader waits for `next` to have something.
    func wait(_ waiter: Waiter<Void>) {
        if bytes.isEmpty, end == nil { reader = waiter } else { waiter.resume() }
    }

    /// libcurl may go on.
    func resumed() { isPaused = false }

    private func wake() {
        reader?.resume()
        reader = nil
    }
}
