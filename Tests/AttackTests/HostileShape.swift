import Contracts
import EventLoops
import RPC
import TestSupport
import TestTools
import Wire

/// Something that clients can leave a server with, after which they do nothing.
enum HostileShape: String, CaseIterable, Sendable {
    /// Each connection had a call of 4 MiB, and has a stream open.
    case idleAfterLargeCalls
    /// As many streams as are let in.
    case openStreams
    /// Long answers of which little is read.
    case halfReadAnswers
    /// Kept-alive connections over HTTP that had a body of megabytes.
    case idleAfterLargeBodies
    /// Bodies that lack their end.
    case stalledBodies
    /// Streams over HTTP whose requests had long heads.
    case openEvents
    /// Connections of HTTP/2 that have had an answer.
    case idleHTTP2
    /// Requests over them whose bodies lack their end.
    case stalledStreams
    /// Answers over them for which the window stays closed.
    case closedWindows
    /// Handshakes that announce a message as long as one may be.
    case unfinishedHandshakes

    /// What the gateway needs for it.
    func arguments() throws -> [String] {
        guard self == .unfinishedHandshakes else { return [] }
        let pair = try TestCertificates.shared.get().server
        return ["--http-tls-certificate", pair.certificate, "--http-tls-key", pair.key]
    }

    /// Bytes of a connection that are charged and not touched yet: OpenSSL sets room aside for the message that is
    /// announced, which its client can fill whenever it likes.
    var setAside: Int { self == .unfinishedHandshakes ? 176 << 10 : 0 }

    /// The last numbers of the addresses that it comes from: each counts as a client.
    private static let clients: ClosedRange<UInt8> = 61...68

    /// Opens so many connections of each client, several at once. What is refused is refused.
    private static func open<Opened: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (UInt8) async throws -> Opened
    ) async -> [any Sendable] {
        await withTaskGroup(of: [any Sendable].self) { group in
            for client in clients {
                group.addTask {
                    var opened: [any Sendable] = []
                    for _ in 0..<count { if let one = try? await body(client) { opened.append(one) } }
                    return opened
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Leaves the gateway with it; it lasts as long as what is returned.
    func leave(_ gateway: MeasuredGateway) async -> [any Sendable] {
        switch self {
        case .idleAfterLargeCalls: await Self.open(20) { try await Self.idle(gateway, $0) }
        case .openStreams: await Self.open(2) { try await Self.streams(gateway, $0) }
        case .halfReadAnswers: await Self.open(40) { try await Self.halfRead(gateway, $0) }
        case .idleAfterLargeBodies: await Self.open(10) { try await Self.idleBody(gateway, $0) }
        case .stalledBodies: await Self.open(20) { try await Self.stalled(gateway, $0) }
        case .openEvents: await Self.open(100) { try await Self.events(gateway, $0) }
        case .idleHTTP2: await Self.open(100) { try await Self.idle2(gateway, $0) }
        case .stalledStreams: await Self.open(4) { try await Self.stalled2(gateway, $0) }
        case .closedWindows: await Self.open(10) { try await Self.unread2(gateway, $0) }
        case .unfinishedHandshakes: await Self.open(100) { try await Self.handshake(gateway, $0) }
        }
    }

    // MARK: one connection of each

    private static let large = EchoRequest(payload: [UInt8](repeating: 7, count: (4 << 20) - 300))

    private static func watch(_ id: UInt32) -> WireFrame {
        .call(id, HealthServiceMethods.watch, WatchRequest(), timeoutUs: nil, credit: 1 << 20)
    }

    private static func idle(_ gateway: MeasuredGateway, _ client: UInt8) async throws -> RawSocket {
        let socket = try await RawSocket(connectingTo: gateway.process.endpoint.port, client: client)
        try await socket.send(.hello, watch(1), .call(2, EchoServiceMethods.echo, large))
        while try await socket.receive(.message, or: .status).header.callID != 2 {}
        return socket
    }

    private static func streams(_ gateway: MeasuredGateway, _ client: UInt8) async throws -> RawSocket {
        let socket = try await RawSocket(connectingTo: gateway.process.endpoint.port, client: client)
        try await socket.send(([.hello] + (1...1000).map { watch($0) }).flatMap(\.bytes))
        for _ in 0..<1000 { _ = try await socket.receive(.message, or: .status) }
        return socket
    }

    private static func halfRead(_ gateway: MeasuredGateway, _ client: UInt8) async throws -> RawSocket {
        let socket = try await RawSocket(
            connectingTo: gateway.process.endpoint.port, receiveBytes: 4096, client: client)
        try await socket.send(.hello)
        for id in UInt32(1)...4 {
            let frame = WireFrame.call(id, EchoServiceMethods.echo, large)
            guard try await socket.sendPatiently(frame.bytes) else { break }
        }
        return socket
    }

    private static func idleBody(_ gateway: MeasuredGateway, _ client: UInt8) async throws -> HTTPSocket {
        let socket = try await HTTPSocket(connectingTo: gateway.http.port, client: client)
        let text = Array("{\"payload\":\"\(String(repeating: "AAAA", count: 1 << 20))\"}".utf8)
        _ = try await socket.ask(
            "POST", "/\(EchoServiceMethods.echo.path)", [MeasuredGateway.bearer, ("Content-Type", "application/json")],
            body: text)
        return socket
    }

    private static func stalled(_ gateway: MeasuredGateway, _ client: UInt8) async throws -> HTTPSocket {
        let socket = try await HTTPSocket(connectingTo: gateway.http.port, client: client)
        try await socket.send(
            "POST /\(EchoServiceMethods.echo.path) HTTP/1.1\r\nHost: localhost\r\n\(MeasuredGateway.bearer.0): "
                + "\(MeasuredGateway.bearer.1)\r\nContent-Type: application/json\r\nContent-Length: 6000000\r\n\r\n")
        try await socket.send([UInt8](repeating: 0x20, count: 5_999_000))
        return socket
    }

    private static func events(_ gateway: MeasuredGateway, _ client: UInt8) async throws -> HTTPSocket {
        let socket = try await HTTPSocket(connectingTo: gateway.http.port, client: client)
        try await socket.send(
            "POST", "/\(HealthServiceMethods.watch.path)",
            [
                MeasuredGateway.bearer, ("Content-Type", "application/connect+json"),
                ("A", String(repeating: "a", count: 12_000)),
            ], body: [0, 0, 0, 0, 2] + Array("{}".utf8))
        guard try await socket.head().status == 200 else { throw RawSocketError.ended }
        _ = try await socket.chunk()
        return socket
    }

    private static func handshake(_ gateway: MeasuredGateway, _ client: UInt8) async throws -> RawSocket {
        let socket = try await RawSocket(connectingTo: gateway.http.port, client: client)
        let length = 131_000
        let head = [1, UInt8(length >> 16), UInt8(length >> 8 & 0xff), UInt8(length & 0xff)]
        let message = head + [UInt8](repeating: 3, count: 60)
        try await socket.send([22, 3, 1, 0, UInt8(message.count)] + message)
        return socket
    }

    // MARK: the same over HTTP/2

    private static func echo(_ fields: [(String, String)] = []) -> [UInt8] {
        let bearer = (MeasuredGateway.bearer.0.lowercased(), MeasuredGateway.bearer.1)
        return HTTP2Client.head(
            "POST", "/\(EchoServiceMethods.echo.path)", [bearer, ("content-type", "application/json")] + fields)
    }

    private static func idle2(_ gateway: MeasuredGateway, _ client: UInt8) async throws -> HTTP2Client {
        let connection = try await HTTP2Client(connectingTo: gateway.http.port, client: client)
        let stream = try await connection.ask(echo(), isEnd: false)
        try await connection.send(HTTP2Client.frame(.data, flags: 1, stream: stream, payload: Array("{}".utf8)))
        _ = try await connection.answer(stream)
        return connection
    }

    private static func stalled2(_ gateway: MeasuredGateway, _ client: UInt8) async throws -> HTTP2Client {
        let connection = try await idle2(gateway, client)
        for _ in 0..<10 {
            let stream = try await connection.ask(echo([("content-length", "400000")]), isEnd: false)
            for _ in 0..<24 {
                let part = [UInt8](repeating: 0x20, count: 16_000)
                guard try await connection.socket.sendPatiently(HTTP2Client.frame(.data, stream: stream, payload: part))
                else { return connection }
            }
        }
        return connection
    }

    private static func unread2(_ gateway: MeasuredGateway, _ client: UInt8) async throws -> HTTP2Client {
        let connection = try await HTTP2Client(connectingTo: gateway.http.port, client: client, window: 0)
        let body = Array("{\"payload\":\"\(String(repeating: "AAAA", count: 3_000))\"}".utf8)
        for _ in 0..<100 {
            let stream = try await connection.ask(echo(), isEnd: false)
            let frame = HTTP2Client.frame(.data, flags: 1, stream: stream, payload: body)
            guard try await connection.socket.sendPatiently(frame) else { break }
        }
        return connection
    }
}
