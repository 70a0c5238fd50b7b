import BaseContracts
import FoundationEssentials
import RPC
import TestSupport
import TestTools
import Testing
import Wire

/// What Vectors/frames.json says of one frame. Docs/Protocol.md and clients in other languages use the same file.
private struct Vector: Decodable, CustomStringConvertible {
    let name: String
    let kind: String
    let end: Bool
    let call: UInt32
    let payload: String
    let frame: String

    var description: String { name }

    static func all() throws -> [Vector] {
        let folder = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let text = try WholeFile.text("\(folder)/Vectors/frames.json")
        return try JSONDecoder().decode([Vector].self, from: Data(text.utf8))
    }
}

/// Every kind of frame, made from Swift values, with the bytes that it must have.
private struct Golden: Sendable, CustomTestStringConvertible {
    let name: String
    let frame: WireFrame
    let hex: String

    var testDescription: String { name }

    init(_ name: String, _ frame: WireFrame, _ hex: String) {
        self.name = name
        self.frame = frame
        self.hex = hex
    }

    static let all = [
        Golden(
            "hello", WireFrame(.hello, Hello(agent: "test", maximumPayloadBytes: 4 << 20, maximumCalls: 1024)),
            "00000016 01010000 00000000 0a04746573741080808002188008"),
        Golden(
            "unary call",
            WireFrame(
                .call, call: 1, isEnd: true,
                Call(
                    method: "waymark.rpc.v1.EchoService/Echo", timeoutUs: 1_000_000, requestId: "r-1",
                    request: EchoRequest(payload: Array("hi".utf8)).packedBytes())),
            """
            00000038 01020100 00000001 0a1f7761796d61726b2e7270632e76312e4563686f536572766963652f4563686f
            10c0843d 1a03722d31 7a040a026869
            """),
        Golden(
            "streaming call",
            WireFrame(
                .call, call: 3, isEnd: true,
                Call(
                    method: "waymark.rpc.v1.EchoService/EchoStream", requestId: "r-2",
                    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                    identity: DocumentedIdentity.signed, token: "t", credit: 262_144,
                    request: EchoStreamRequest(payload: Array("a".utf8), count: 3).packedBytes())),
            """
            000000af 01020100 00000003 0a257761796d61726b2e7270632e76312e4563686f536572766963652f4563686f53747265616d
            1a03722d32 223730302d34626639326633353737623334646136613363653932396430653065343733362d
            303066303637616130626139303262372d3031 2a320a0e0a056c6f63616c10e0a499ffbc31
            12207ff11b6a4e32524eb00f19695fb5f1e4b84fccff36034ca2cdb365327b01c139 320174 38808010
            7a050a01611003
            """),
        Golden(
            "answer", WireFrame(.message, call: 1, isEnd: true, EchoResponse(payload: Array("hi".utf8))),
            "0000000c 01030100 00000001 0a026869"),
        Golden(
            "message of a stream", WireFrame(.message, call: 3, EchoStreamResponse(payload: Array("a".utf8), index: 1)),
            "0000000d 01030000 00000003 0a01611001"),
        Golden(
            "end of a stream", WireFrame(.status, call: 3, isEnd: true, Status()), "00000008 01040100 00000003"),
        Golden(
            "failure",
            WireFrame(
                .status, call: 1, isEnd: true,
                Status(
                    code: 3, message: "limit: 0 results were asked for",
                    details: StatusDetails(
                        fieldViolations: [FieldViolation(field: "limit", description: "0 results were asked for")],
                        retryAfterMs: 100, requestId: "r-1"))),
            """
            00000057 01040100 00000001 0803 121f6c696d69743a203020726573756c747320776572652061736b656420666f72
            1a2a 0a210a056c696d697412183020726573756c747320776572652061736b656420666f72 1064 1a03722d31
            """),
        Golden(
            "hello of a server",
            WireFrame(
                .hello,
                Hello(agent: "service", maximumPayloadBytes: 4 << 20, maximumCalls: 1024, streamCredit: 16 << 10)),
            "0000001d 01010000 00000000 0a07736572766963651080808002188008 20808001"),
        Golden(
            "call with requests to come",
            WireFrame(.call, call: 5, Call(method: "waymark.rpc.v1.EchoService/EchoJoined")),
            """
            0000002f 01020000 00000005 0a257761796d61726b2e7270632e76312e4563686f536572766963652f4563686f4a6f696e6564
            """),
        Golden(
            "request of a stream", WireFrame(.message, call: 5, EchoJoinedRequest(payload: Array("a".utf8))),
            "0000000b 01030000 00000005 0a0161"),
        Golden(
            "last request", WireFrame(.message, call: 5, isEnd: true, EchoJoinedRequest(payload: Array("b".utf8))),
            "0000000b 01030100 00000005 0a0162"),
        Golden("end of the requests", WireFrame(.status, call: 5, isEnd: true), "00000008 01040100 00000005"),
        Golden("cancel", WireFrame(.cancel, call: 1), "00000008 01050000 00000001"),
        Golden(
            "ping", WireFrame(.ping, [1, 2, 3, 4, 5, 6, 7, 8]), "00000010 01060000 00000000 0102030405060708"),
        Golden(
            "pong", WireFrame(.pong, [1, 2, 3, 4, 5, 6, 7, 8]), "00000010 01070000 00000000 0102030405060708"),
        Golden(
            "goaway", WireFrame(.goAway, GoAway(lastCallId: 7, reason: "shutting down")),
            "00000019 01080000 00000000 0807 120d7368757474696e6720646f776e"),
        Golden("credit", WireFrame(.credit, call: 3, Credit(bytes: 131_072)), "0000000c 01090000 00000003 08808008"),
    ]
}

/// The identity in the documentation: "local", signed with the key 000102…1f by Python's hmac.
private enum DocumentedIdentity {
    static let signed = SignedIdentity(
        identity: Identity(account: "local", expiresUnixMs: 1_700_000_060_000).packedBytes(),
        signature: Hex.bytes("7ff11b6a4e32524eb00f19695fb5f1e4b84fccff36034ca2cdb365327b01c139"))
}

@Suite("Golden frames", .timeLimit(.minutes(3)))
struct FrameVectorTests {
    @Test("are written as documented", arguments: Golden.all)
    fileprivate func written(golden: Golden) {
        #expect(Hex.text(golden.frame.bytes) == Hex.text(Hex.bytes(golden.hex)))
    }

    @Test("are read as documented", arguments: Golden.all)
    fileprivate func read(golden: Golden) throws {
        var decoder = FrameDecoder(maximumPayload: 4 << 20)
        let frames = try decoder.frames(Hex.bytes(golden.hex))
        #expect(frames == [golden.frame])
    }

    @Test("cover every kind of frame")
    func complete() {
        #expect(Set(Golden.all.map(\.frame.header.kind)) == Set(FrameKind.allCases))
    }

    @Test("are the ones in frames.json, which other languages read")
    func published() throws {
        let published = try Vector.all()
        #expect(published.map(\.name) == Golden.all.map(\.name))
        for (vector, golden) in zip(published, Golden.all) {
            #expect(vector.frame == Hex.text(Hex.bytes(golden.hex)), "\(vector)")
            #expect(vector.payload == Hex.text(golden.frame.payload), "\(vector)")
            #expect(vector.kind == "\(golden.frame.header.kind)".lowercased(), "\(vector)")
            #expect(vector.end == golden.frame.header.isEnd, "\(vector)")
            #expect(vector.call == golden.frame.header.callID, "\(vector)")
        }
    }
}
