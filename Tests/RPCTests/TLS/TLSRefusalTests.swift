import BaseContracts
import EventLoops
import RPC
import TLS
import TestSupport
import TestTools
import Testing
import Wire

@Suite("Who is refused in TLS", .timeLimit(.minutes(3)))
struct TLSRefusalTests {
    private let tls: TLSFixture

    init() throws { tls = try TLSFixture() }

    /// What a client is told, and what the server says about it.
    private func refusal(
        client: TLSContext?, server: TLSContext?
    ) async throws -> (toClient: String, atServer: [String]) {
        let recorder = RefusalRecorder()
        var message = ""
        try await TestServer.with(.echo(), interceptors: [recorder], tls: server) { server in
            try await server.withClient(tls: client) { client in
                let error = try await errorOf {
                    try await EchoServiceClient(client).echo(EchoRequest(), CallOptions(timeout: .seconds(60)))
                }
                #expect(error?.code == .unavailable)
                message = error?.message ?? ""
            }
        }
        return (message, recorder.all)
    }

    @Test("is a server of an unknown authority")
    func unknownAuthority() async throws {
        let context = try TLSContext(.server, .init(tls.certificates.stranger))
        let refusal = try await refusal(client: tls.client, server: context)
        #expect(refusal.toClient.contains("can't be reached: its certificate is refused: self-signed certificate"))
        #expect(refusal.atServer.first == "it ended TLS with the alert \"unknown ca\"")
    }

    @Test("is a server with a certificate for another host")
    func otherHost() async throws {
        let context = try TLSContext(.server, .init(tls.certificates.elsewhere))
        let refusal = try await refusal(client: tls.client, server: context)
        #expect(refusal.toClient.contains("its certificate is refused: IP address mismatch"))
    }

    @Test("is a server whose certificate has expired")
    func expired() async throws {
        let context = try TLSContext(.server, .init(tls.certificates.expired))
        let refusal = try await refusal(client: tls.client, server: context)
        #expect(refusal.toClient.contains("its certificate is refused: certificate has expired"))
        #expect(refusal.atServer.first == "it ended TLS with the alert \"certificate expired\"")
    }

    @Test("is a client without a certificate where one is needed")
    func missing() async throws {
        let refusal = try await refusal(client: tls.nameless, server: tls.server)
        #expect(refusal.toClient.contains("it ended TLS with the alert \"certificate required\""))
        #expect(refusal.atServer.first == "it showed no certificate, and one is needed")
    }

    @Test("is a client that speaks plain text, and both sides say so")
    func plainText() async throws {
        let refusal = try await refusal(client: nil, server: tls.server)
        #expect(refusal.toClient.hasSuffix("accepts no new calls: this port speaks TLS"))
        #expect(refusal.atServer.first == "a client spoke plain text to the TLS port")
    }

    @Test("is a server that speaks plain text")
    func plainServer() async throws {
        let refusal = try await refusal(client: tls.client, server: nil)
        #expect(refusal.toClient.hasSuffix("can't be reached: it does not speak TLS"))
    }

    @Test("is, by a plain server, a client that speaks TLS: the reason is told in plain text")
    func tlsToPlain() async throws {
        try await TestServer.with(.echo()) { server in
            let socket = try await SecureRawSocket(connectingTo: server.port, tls.client)
            try await socket.raw.send(socket.firstBytes())
            let goAway = try await GoAway(packed: socket.raw.receive(.goAway).payload)
            #expect(goAway.reason == "the peer speaks TLS, and this side does not")
        }
    }

    @Test("is, by a plain client, a server that answers with an alert of TLS")
    func alertToPlain() async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint) { client in
            // A stream of requests is not tried again.
            async let error = errorOf { try await EchoServiceClient(client).echoJoined { _ in } }
            let socket = try await listener.accept()
            _ = try await socket.receive(.hello)
            try await socket.send([21, 3, 3, 0, 2, 2, 70])
            socket.endSending()
            #expect(try await error?.message.hasSuffix("closed: the peer speaks TLS, and this side does not") == true)
        }
    }

    @Test("is TLS 1.2, and a client that asks for another protocol", arguments: [["-tls1_2"], ["-alpn", "h2"], []])
    func otherVersions(flags: [String]) async throws {
        let recorder = RefusalRecorder()
        let context = try TLSContext(.server, .init(tls.certificates.server))
        try await TestServer.with(.echo(), interceptors: [recorder], tls: context) { server in
            let arguments = ["s_client", "-connect", "\(server.endpoint)", "-alpn", TLSContext.protocolName]
            let good = try await BlockingCalls.run { try OpenSSLProgram.answer(arguments) }
            #expect(good.text.contains("New, TLSv1.3") && good.text.contains("ALPN protocol: waymark/1"))
            #expect(recorder.all.isEmpty)
            let other = try await BlockingCalls.run { try OpenSSLProgram.answer(arguments.dropLast(2) + flags) }
            try await recorder.refusals.wait()
            if flags == ["-tls1_2"] {
                #expect(other.text.contains("alert protocol version"))
                #expect(recorder.all == ["TLS failed: unsupported protocol"])
            }
            if flags == ["-alpn", "h2"] { #expect(other.text.contains("alert no application protocol")) }
            if flags.isEmpty { #expect(recorder.all == ["it speaks TLS, but not waymark/1"]) }
        }
    }
}
