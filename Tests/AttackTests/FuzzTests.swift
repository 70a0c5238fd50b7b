import Compression
import Contracts
import EventLoops
import FoundationEssentials
import Glibc
import RPC
import TestSupport
import TestTools
import Testing
import Wire

/// Large values and doubtful framing the whole way, from bytes on the wire to the handler, against real processes in
/// little memory. It found E1, E2, E3, E8 and E9 with the lines of then put back.
///
/// WAYMARK_FUZZ_SECONDS says for how long each goes on (5), WAYMARK_FUZZ_SEED where it begins.
@Suite(
    "P41 whatever strangers send, the whole way", .serialized, .timeLimit(.minutes(60)),
    .enabled(if: MemoryGroup.isAvailable, "a control group for memory can't be made here; that needs root"))
struct FuzzTests {
    private static let nearby = "/waymark.places.v1.PlacesService/Nearby"

    private static func number(_ variable: String) -> Int? { getenv(variable).flatMap { Int(String(cString: $0)) } }

    /// Sends one input after the other, each known by its seed, as long as it lasts; ends with the first find.
    private static func search(
        _ name: String, _ send: (inout Mutations, AttackedGateway) async throws -> Void
    ) async throws {
        let end = MonotonicTime.now + .seconds(number("WAYMARK_FUZZ_SECONDS") ?? 5)
        var seed = number("WAYMARK_FUZZ_SEED") ?? Int.random(in: 0...1_000_000)
        let first = seed
        try await AttackedGateway.survives("fuzz \(name)") { gateway in
            while MonotonicTime.now < end {
                var mutations = Mutations(random: SeededGenerator(seed: UInt64(seed)))
                try? await send(&mutations, gateway)
                guard try gateway.isAlive else {
                    Issue.record("seed \(seed) of \(name) ended a service")
                    break
                }
                seed += 1
            }
        }
        print("fuzz \(name): inputs \(first) to \(seed - 1)")
    }

    @Test("JSON with a value of megabytes: it is answered in kilobytes", arguments: [true, false])
    func json(hasToken: Bool) async throws {
        try await Self.search("JSON, token \(hasToken)") { mutations, gateway in
            let json = mutations.json()
            let isPacked = mutations.random.chance(0.5)
            let target = mutations.random.one(of: [Self.nearby, "/waymark.rpc.v1.EchoService/Echo"])
            let fields =
                [("Content-Type", "application/json")] + (isPacked ? [("Content-Encoding", "gzip")] : [])
                + (hasToken ? [("Authorization", "Bearer \(AttackedGateway.token)")] : [])
            let reply = try await gateway.attackHTTP().ask(
                "POST", target, fields, body: isPacked ? Gzip.pack(json, level: 1) : json)
            // An error is told in little; an echo is as long as what was sent.
            if reply.status >= 400 { #expect(reply.body.count <= 16 << 10, "\(json.prefix(100))") }
        }
    }

    @Test("requests whose end is doubtful: none in their bodies is answered")
    func framing() async throws {
        try await Self.search("framing") { mutations, gateway in
            let bytes = mutations.framing(hiding: "/openapi.json")
            let socket = try await gateway.attackHTTP()
            try await socket.send(bytes)
            socket.socket.endSending()
            let answer = String(decoding: try await socket.rest(), as: UTF8.self)
            #expect(!answer.contains("\"openapi\""), "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
        }
    }

    @Test("frames that are large, cut off, or not read")
    func frames() async throws {
        // What earlier inputs have made it hold it holds while later ones come.
        var sockets: [RawSocket] = []
        try await Self.search("frames") { mutations, gateway in
            let bytes = mutations.frames()
            if sockets.count > 300 { sockets.removeFirst(100) }
            for _ in 0..<10 {
                let socket = try await gateway.attackSocket(receiveBytes: 4096)
                _ = try? await socket.sendPatiently(bytes)
                sockets.append(socket)
            }
        }
    }

    @Test("files of few bytes that become many rows")
    func files() async throws {
        try await Self.search("files") { mutations, gateway in
            try await gateway.importTable(mutations.table())
        }
    }
}
