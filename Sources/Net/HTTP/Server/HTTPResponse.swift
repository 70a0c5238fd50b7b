import Glibc

/// The answer to a request.
package struct HTTPResponse: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// A part of a file, sent by the kernel.
        case file(any ServedFile, offset: Int, count: Int)
        /// Written while it is sent. `count` is nil when its length is not known yet.
        case stream(count: Int?, @Sendable (HTTPBodyWriter) async throws -> Void)
    }

    package var status: Int
    package var headers: HTTPFields
    package var body: Body
    /// Fields behind the body, where that is bytes; sent in HTTP/2 only.
    package var trailers: HTTPFields?

    package init(_ status: Int, headers: HTTPFields = [], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A short text, for people.
    package init(_ status: Int, text: String) {
        self.init(
            status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: .bytes(Array("\(text)\n".utf8)))
    }
}

extension HTTPResponse {
    /// Whether the length of its body is unknown.
    var isEndless: Bool { if case .stream(count: nil, _) = body { true } else { false } }
}

/// A file that is open as long as this lives.
package protocol ServedFile: AnyObject, Sendable {
    var descriptor: Int32 { get }
}

/// An open file, closed when no answer sends it any more.
package final class HTTPFile: ServedFile {
    package let descriptor: Int32

    /// Takes over the descriptor.
    package init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}

/// Sends the bodies of responses while they are written.
protocol HTTPBodySink: AnyObject, Sendable {
    func write(_ bytes: ArraySlice<UInt8>, _ exchange: UInt64) async throws
    func finish(_ bytes: [UInt8], _ trailers: HTTPFields?, _ exchange: UInt64) async throws
    var isDraining: Bool { get async }
}

/// Writes the body of a response.
package struct HTTPBodyWriter: Sendable {
    let sink: any HTTPBodySink
    let exchange: UInt64

    /// Takes the bytes as soon as few enough are queued. Throws when the client has gone, or takes none for too long.
    /// Several tasks may write; the bytes of one call stay together.
    package func write(_ bytes: ArraySlice<UInt8>) async throws { try await sink.write(bytes, exchange) }

    /// The same of a whole array.
    package func write(_ bytes: [UInt8]) async throws { try await write(bytes[...]) }

    /// Takes the last bytes of the body, also from a task that was cancelled, and without waiting for room: so a stream
    /// that the server ends can say so. Throws when the client has gone.
    /// - Parameter trailers: fields behind the body; sent in HTTP/2 only.
    package func finish(_ bytes: [UInt8], trailers: HTTPFields? = nil) async throws {
        try await sink.finish(bytes, trailers, exchange)
    }

    /// Whether the server is stopping, for which it cancels the writing tasks.
    package var isStopping: Bool { get async { await sink.isDraining } }
}
