import EventLoops
import HTTPClient
import TestSupport
import Testing

/// A client on a loop of its own.
func withClient(
    _ limits: HTTPClient.Limits = .init(), _ body: (HTTPClient) async throws -> Void
) async throws {
    let loop = try EventLoop()
    let client = HTTPClient(loop: loop, agent: "waymark-test (test@example.org)", limits: limits)
    do {
        try await body(client)
    } catch {
        await client.close()
        loop.shutDown()
        throw error
    }
    await client.close()
    loop.shutDown()
}

/// What a request failed with.
func failure(_ client: HTTPClient, _ request: HTTPClientRequest) async -> HTTPClientError? {
    do {
        let response = try await client.send(request)
        Issue.record("answered with \(response.status)")
        return nil
    } catch {
        return error
    }
}

extension RawSocket {
    /// Reads the head of a request; a body that came with it goes with it.
    func requestHead() async throws -> String {
        var text = ""
        while !text.contains("\r\n\r\n") { text += String(decoding: try await receiveBytes(), as: UTF8.self) }
        return text
    }

    /// Answers a request with these bytes.
    func answer(_ text: String) async throws {
        _ = try await requestHead()
        try await send(Array(text.utf8))
    }
}

extension HTTPClientError {
    /// Which case it is, whatever its reason.
    var kind: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
}
