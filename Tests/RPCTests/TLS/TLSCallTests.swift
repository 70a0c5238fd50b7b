import BaseContracts
import EventLoops
import RPC
import Synchronization
import TLS
import TestSupport
import TestTools
import Testing
import Wire

@Suite("Calls over TLS", .timeLimit(.minutes(3)))
struct TLSCallTests {
    private let tls: TLSFixture

    init() throws { tls = try TLSFixture() }

    @Test("are answered, alone and many at once")
    func echo() async throws {
        try await TestServer.with(.echo(), loops: 2, tls: tls.server) { server in
            try await server.withClient(tls: tls.client) { client in
                let echo = EchoServiceClient(client)
                #expect(try await echo.echo(EchoRequest(payload: [1, 2])).payload == [1, 2])
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<500 {
                        group.addTask {
                            let payload = [UInt8](repeating: UInt8(index % 251), count: index * 7)
                            let answer = try await echo.echo(EchoRequest(payload: payload))
                            #expect(answer.payload == payload)
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(server.server.connectionCount == 1)
            }
            #expect(await eventually { server.server.connectionCount == 0 })
        }
    }

    @Test("carry four megabytes there and back")
    func large() async throws {
        try await TestServer.with(.echo(), tls: tls.server) { server in
            try await server.withClient(tls: tls.client) { client in
                let payload = (0..<(4 << 20) - 200).map { UInt8(truncatingIfNeeded: $0 &* 31) }
                let answer = try await EchoServiceClient(client).echo(EchoRequest(payload: payload))
                #expect(answer.payload == payload)
            }
        }
    }

    @Test("stream further than a socket or a record holds")
    func stream() async throws {
        try await TestServer.with(.echo(), tls: tls.server) { server in
            try await server.withClient(tls: tls.client) { client in
                let request = EchoStreamRequest(payload: [UInt8](repeating: 7, count: 100_000), count: 200)
                var count: UInt32 = 0
                for try await answer in EchoServiceClient(client).echoStream(request) {
                    #expect(answer.payload == request.payload && answer.index == count)
                    count += 1
                }
                #expect(count == 200)
            }
        }
    }

    @Test("tell the handler who the client is")
    func identity() async throws {
        let seen = Mutex<[String?]>([])
        let service = ScriptedEcho(unary: { _, context in
            seen.withLock { $0.append(context.peer?.commonName) }
            seen.withLock { $0.append(context.peer?.uris.first) }
            return EchoResponse()
        })
        try await TestServer.with(.echo(service), tls: tls.server) { server in
            try await server.withClient(tls: tls.client) { _ = try await EchoServiceClient($0).echo(EchoRequest()) }
        }
        #expect(seen.withLock { $0 } == ["client", "spiffe://waymark.test/client"])
        seen.withLock { $0 = [] }
        let open = try TLSContext(.server, .init(tls.certificates.server))
        try await TestServer.with(.echo(service), tls: open) { server in
            try await server.withClient(tls: tls.client) { _ = try await EchoServiceClient($0).echo(EchoRequest()) }
        }
        #expect(seen.withLock { $0 } == [nil, nil], "a server that checks nobody knows nobody")
    }

    @Test("go on while the certificates are exchanged, and new connections show the new one")
    func reload() async throws {
        let folder = TemporaryFolder()
        func put(_ pair: TestCertificates.Pair) throws {
            try folder.write(WholeFile.text(pair.certificate), to: "c")
            try folder.write(WholeFile.text(pair.key), to: "k")
        }
        try put(tls.certificates.stranger)
        let files = TLSContext.Files(.init(certificate: folder.file("c"), key: folder.file("k")))
        let context = try TLSContext(.server, files)
        let old = try TLSContext(.client, .init(authorities: tls.certificates.stranger.certificate))
        let (started, gate) = (Tally(), Tally())
        let service = ScriptedEcho(unary: { request, _ in
            started.add()
            if request.payload == [1] { try await gate.wait() }
            return EchoResponse(payload: request.payload)
        })
        try await TestServer.with(.echo(service), tls: context) { server in
            try await server.withClient(tls: old) { client in
                let echo = EchoServiceClient(client)
                async let open = echo.echo(EchoRequest(payload: [1]))
                try await started.wait()
                try put(tls.certificates.server)
                try TLSContext.reload([context])
                let answer = try await server.withClient(tls: tls.client) {
                    try await EchoServiceClient($0).echo(EchoRequest(payload: [2]))
                }
                #expect(answer.payload == [2])
                gate.add()
                #expect(try await open.payload == [1])
                #expect(try await echo.echo(EchoRequest(payload: [3])).payload == [3])
            }
        }
    }
}
