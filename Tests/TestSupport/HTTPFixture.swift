package import EventLoops
package import HTTP
import Synchronization

/// A server that plays somebody else's, on a free port of this machine. It keeps what it was asked.
package final class HTTPFixture: HTTPResponder, HTTPWork {
    package typealias Answer = @Sendable (HTTPRequest) async -> HTTPResponse

    private let answer: Answer
    private let seen = Mutex<[HTTPRequest]>([])
    /// Rung with every request.
    package let bell = Bell()

    private init(_ answer: @escaping Answer) { self.answer = answer }

    /// All requests so far.
    package var requests: [HTTPRequest] { seen.withLock { $0 } }

    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        seen.withLock { $0.append(request) }
        bell.ring()
        return await answer(request)
    }

    /// Runs `body` with the address of a server that gives this answer: "http://127.0.0.1:12345".
    @discardableResult
    package static func with<R>(
        _ answer: @escaping Answer, _ body: (HTTPFixture, String) async throws -> R
    ) async throws -> R {
        let fixture = HTTPFixture(answer)
        let group = try EventLoopGroup(count: 1)
        let server = HTTPServer(fixture, group: group)
        let any = try await BlockingCalls.run { try Endpoint(host: "127.0.0.1", port: 0).resolve() }
        let address = try await server.listen(on: any[0])
        let result = await Result { () async throws in try await body(fixture, "http://127.0.0.1:\(address.port)") }
        await server.shutDown(grace: .zero)
        group.shutDown()
        return try result.get()
    }
}

extension Result where Failure == any Error {
    /// What `body` gives or throws.
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
