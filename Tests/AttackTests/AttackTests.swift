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

    @Test("E1 lists of two million short elements", arguments: [true, false])
    func lists(hasToken: Bool) async throws {
        let list =
            Array("{\"networks\":[\"\"".utf8) + Array(repeatElement(Array(",\"\"".utf8), count: 2_000_000).joined())
        let packed = Gzip.pack(list + Array("]}".utf8), level: 9)
        try await AttackedGateway.survives("E1 token \(hasToken)") { gateway in
            await Repeated.run(80) {
                let fields = [Self.json, Self.gzip] + (hasToken ? [Self.bearer] : [])
                _ = try await gateway.attackHTTP().ask("POST", Self.nearby, fields, body: packed)
            }
        }
    }

    @Test("E2 keys of five megabytes", arguments: [true, false])
    func keys(hasToken: Bool) async throws {
        let packed = Gzip.pack(Array("{\"\(String(repeating: "k", count: 5 << 20))\":1}".utf8), level: 9)
        try await AttackedGateway.survives("E2 token \(hasToken)") { gateway in
            await Repeated.run(300) {
                let fields = [Self.json, Self.gzip] + (hasToken ? [Self.bearer] : [])
                let reply = try await gateway.attackHTTP().ask("POST", Self.nearby, fields, body: packed)
                #expect(reply.body.count < 4096)
            }
        }
    }

    @Test("E3 three hundred calls of 4 MiB whose answers are not read", arguments: [true, false])
    func unreadEchoes(hasToken: Bool) async throws {
        try await AttackedGateway.survives("E3 unread answers, token \(hasToken)") { gateway in
            try await FrameAttack.unreadEchoes(gateway, token: hasToken ? AttackedGateway.token : "")
        }
    }

    @Test("E3 three hundred frames that lack their last byte")
    func unfinishedFrames() async throws {
        try await AttackedGateway.survives("E3 unfinished frames") { try await FrameAttack.unfinishedFrames($0) }
    }

    @Test("E3 sixty connections that ask for signs of life and read none")
    func unreadPongs() async throws {
        try await AttackedGateway.survives("E3 unread PONGs", FrameAttack.unreadPongs)
    }

    @Test("E3 a thousand streams of a megabyte that are not read")
    func unreadStreams() async throws {
        try await AttackedGateway.survives("E3 unread streams", FrameAttack.unreadStreams)
    }

    @Test("E3 all of these at once against each service behind the gateway", arguments: AttackedService.names)
    func services(name: String) async throws {
        try await AttackedService.survives(name, "E3 \(name)") { service in
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask { try await FrameAttack.unreadEchoes(service, token: "") }
                // As many as fill what is left of its memory; each more waits for its refusal.
                group.addTask { try await FrameAttack.unfinishedFrames(service, connections: 40) }
                group.addTask { try await FrameAttack.unreadPongs(service) }
                group.addTask { try await FrameAttack.unreadStreams(service) }
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
            await Repeated.run(40) {
                let socket = try await gateway.attackSocket(receiveBytes: nil)
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

    @Test("E11 requests over HTTP/2 that are reset at once, from forty connections")
    func rapidResets() async throws {
        try await AttackedGateway.survives("E11 rapid resets") { gateway in
            let head = HTTP2Client.head("POST", Self.nearby, [("content-type", "application/json")])
            let steps = (0..<3000).map { number in
                let stream = UInt32(2 * number + 1)
                return HTTP2Client.frame(.headers, flags: 4, stream: stream, payload: head)
                    + HTTP2Client.frame(.data, flags: 1, stream: stream, payload: Array("{}".utf8))
                    + HTTP2Client.frame(.reset, stream: stream, payload: HTTP2Client.bytes(8))
            }
            await Repeated.run(40) {
                let client = try await HTTP2Client(connectingTo: gateway.http.port, client: AttackedGateway.attacker)
                for start in stride(from: 0, to: steps.count, by: 100) {
                    guard try await client.socket.sendPatiently(Array(steps[start..<start + 100].joined())) else {
                        break
                    }
                }
            }
        }
    }

    @Test("E10 connections without a word, as many as are let in", arguments: ["HTTP", "HTTP/2", "RPC"])
    func silence(kind: String) async throws {
        try OpenFiles.allow(12_000)
        try await AttackedGateway.survives("E10 silent \(kind) connections") { gateway in
            var sockets: [RawSocket] = []
            for _ in 0..<10_000 {
                let port = kind == "RPC" ? gateway.process.endpoint.port : gateway.http.port
                let socket = try await RawSocket(connectingTo: port, client: AttackedGateway.attacker)
                if kind == "HTTP/2" { try? await socket.send(HTTP2Client.preface + HTTP2Client.frame(.settings)) }
                sockets.append(socket)
            }
        }
    }
}
