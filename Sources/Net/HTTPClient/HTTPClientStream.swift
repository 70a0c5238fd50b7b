import EventLoops

/// An answer whose body is read as it comes: no more than some hundred KiB of it are in memory, whatever its length. It
/// has one reader. The request ends when the stream goes away.
package final class HTTPClientStream: Sendable {
    package let status: Int
    /// As in `HTTPClientResponse`.
    package let headers: [String: String]
    private let id: UInt64
    private let client: HTTPClient

    init(_ response: HTTPClientResponse, id: UInt64, client: HTTPClient) {
        status = response.status
        headers = response.headers
        self.id = id
        self.client = client
    }

    deinit {
        client.loop.executeLater { [client, id] in client.assumeIsolated { $0.drop(id) } }
    }

    /// The next bytes; none at the end. Cancelling the task ends the request.
    package func next() async throws(HTTPClientError) -> [UInt8] { try await client.next(of: id) }

    /// What is left of the body, at most `limit` bytes: longer ones are `.tooLong`.
    package func rest(limit: Int) async throws(HTTPClientError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let more = try await next()
            if more.isEmpty { return bytes }
            bytes += more
            guard bytes.count <= limit else { throw .tooLong(what: "the answer", limit: limit) }
        }
    }
}
