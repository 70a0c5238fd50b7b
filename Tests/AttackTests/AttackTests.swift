import Compression
import Contracts
import EventLoops
import RPC
import TestSupport
import TestTools
import Testing
import Wire

/// What strangers have tried, against real processes of 256 MiB each; each says what an honest client saw meanwhile.
@Suite(
    "P41 attacks from outside", .serialized, .timeLimit(.minutes(5)),
    .enabled(if: MemoryGroup.isAvailable, "a control group for memory can't be made here; that needs root"))
struct AttackTests {
    private static let nearby = "/waymark.places.v1.PlacesService/Nearby"
    private static let json = ("Content-Type", "application/json")
    private static let gzip = ("Content-Encoding", "gzip")
    private static let bearer = ("Authorization", "Bearer \(AttackedGateway.token)")

    /// Runs something so many times, several at once; what fails on the way is the attacked one's answer.
    private static func repeated(_ times: Int, atOnce: Int = 8, _ body: @escaping @Sendable () async throws -> Void)
        async
    {
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<atOnce {
                group.addTask { for _ in 0..<max(1, times / atOnce) where worker >= 0 { try? await body() } }
            }
        }
    }

    @Test("E1 lists of two million short elements", arguments: [true, false])
    func lists(hasToken: Bool) async throws {
        let list =
            Array("{\"networks\":[\"\"".utf8) + Array(repeatElement(Array(",\"\"".utf8), count: 2_000_000).joined())
        let packed = Gzip.pack(list + Array("]}".utf8), level: 9)
        try await AttackedGateway.survives("E1 token \(hasToken)") { gateway in
            await Self.repeated(80) {
                let fields = [Self.json, Self.gzip] + (hasToken ? [Self.bearer] : [])
                _ = try await gateway.attackHTTP().ask("POST", Self.nearby, fields, body: packed)
            }
        }
    }

    @Test("E2 keys of five megabytes", arguments: [true, false])
    func keys(hasToken: Bool) async throws {
        let packed = Gzip.pack(Array("{\"\(String(repeating: "k", count: 5 << 20))\":1}".utf8), level: 9)
        try await AttackedGateway.survives("E2 token \(hasToken)") { gateway in
            await Self.repeated(300) {
                let fields = [Self.json, Self.gzip] + (hasToken ? [Self.bearer] : [])
                let reply = try await gateway.attackHTTP().ask("POST", Self.nearby, fields, body: packed)
                #expect(reply.body.count < 4096)
            }
        }
    }

    @Test("E3 three hundred calls of 4 MiB whose answers nobody reads", arguments: [true, false])
    func unreadEchoes(hasToken: Bool) async throws {
        let payload = EchoRequest(payload: [UInt8](repeating: 7, count: (4 << 20) - 200)).packedBytes()
        let token = hasToken ? AttackedGateway.token : ""
        try await AttackedGateway.survives("E3 unread answers, token \(hasToken)") { gateway in
            let socket = try await gateway.attackSocket(receiveBytes: 4096)
            try await socket.send(.hello)
            for id in 1...300 {
                let call = Call(
                    method: EchoServiceMethods.echo.path, timeoutUs: 60_000_000, token: token, request: payload)
                let frame = WireFrame(.call, call: UInt32(id), isEnd: true, call).bytes
                // It stops reading, or closes: then that was all that could be sent.
                guard (try? await socket.sendPatiently(frame)) ?? false else { break }
            }
        }
    }

    @Test("E3 three hundred frames that lack their last byte")
    func unfinishedFrames() async throws {
        let frame = WireFrame.call(
            1, EchoServiceMethods.echo, EchoRequest(payload: [UInt8](repeating: 7, count: (4 << 20) - 200))
        ).bytes
        try await AttackedGateway.survives("E3 unfinished frames") { gateway in
            var sockets: [RawSocket] = []
            for _ in 0..<300 {
                let socket = try await gateway.attackSocket()
                _ = try? await socket.send(WireFrame.hello.bytes + frame.dropLast())
                sockets.append(socket)
            }
        }
    }

    @Test("E3 sixty connections that ask for signs of life and read none")
    func unreadPongs() async throws {
        let pings = Array(
            repeatElement(WireFrame(.ping, [UInt8](repeating: 1, count: 1024)).bytes, count: 1000).joined())
        try await AttackedGateway.survives("E3 unread PONGs") { gateway in
            await Self.repeated(60, atOnce: 20) {
                let socket = try await gateway.attackSocket(receiveBytes: 4096)
                try await socket.send(.hello)
                for _ in 0..<20 { guard try await socket.sendPatiently(pings) else { break } }
            }
        }
    }

    @Test("E3 a thousand streams of a megabyte that nobody reads")
    func unreadStreams() async throws {
        let request = EchoStreamRequest(payload: [UInt8](repeating: 7, count: 1 << 20), count: 100)
        try await AttackedGateway.survives("E3 unread streams") { gateway in
            let socket = try await gateway.attackSocket(receiveBytes: 4096)
            try await socket.send(.hello)
            for id in 1...1000 {
                let frame = WireFrame.call(
                    UInt32(id), EchoServiceMethods.echoStream, request, timeoutUs: nil, credit: 64 << 20)
                guard (try? await socket.sendPatiently(frame.bytes)) ?? false else { break }
            }
        }
    }

    @Test("E4 two hundred bodies that never end")
    func unfinishedBodies() async throws {
        try await AttackedGateway.survives("E4 unfinished bodies") { gateway in
            var sockets: [HTTPSocket] = []
            for _ in 0..<200 {
                let socket = try await gateway.attackHTTP()
                try? await socket.send(
                    "POST \(Self.nearby) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(AttackedGateway.token)\r\n"
                        + "Content-Type: application/json\r\nContent-Length: 6000000\r\n\r\n")
                try? await socket.send([UInt8](repeating: 0x20, count: 5_999_000))
                sockets.append(socket)
            }
        }
    }

    @Test("E6 calls that are refused as fast as they can be sent leave a short log")
    func refusals() async throws {
        try await AttackedGateway.survives("E6 refused calls") { gateway in
            let calls = (1...2000).map { id in
                let call = Call(method: "waymark.places.v1.PlacesService/Nearby", timeoutUs: 1_000_000)
                return WireFrame(.call, call: UInt32(id), isEnd: true, call).bytes
            }
            await Self.repeated(40) {
                let socket = try await gateway.attackSocket()
                try await socket.send(WireFrame.hello.bytes + Array(calls.joined()))
                for _ in 0..<2000 { _ = try await socket.receive(.status) }
            }
            let logBytes = try gateway.process.program.errorBytes
            #expect(logBytes < 1 << 20)
        }
    }

    @Test("E9 an import of some kilobytes that holds eight million good rows")
    func rows() async throws {
        let rows =
            Array("id,name,lat,lon\n".utf8) + Array(repeatElement(Array("1,a,1,2\n".utf8), count: 8_000_000).joined())
        let packed = Gzip.pack(rows, level: 1)
        try await AttackedGateway.survives("E9 rows") { gateway in
            var refusal: RPCError?
            do { try await gateway.importTable(packed) } catch { refusal = error as? RPCError }
            #expect(refusal?.message.contains("take all memory") == true, "\(String(describing: refusal))")
        }
    }

    @Test("E10 connections without a word, as many as are let in", arguments: ["HTTP", "RPC"])
    func silence(kind: String) async throws {
        try OpenFiles.allow(12_000)
        try await AttackedGateway.survives("E10 silent \(kind) connections") { gateway in
            var sockets: [RawSocket] = []
            for _ in 0..<10_000 {
                let port = kind == "HTTP" ? gateway.http.port : gateway.process.endpoint.port
                sockets.append(try await RawSocket(connectingTo: port, client: AttackedGateway.attacker))
            }
        }
    }
}
