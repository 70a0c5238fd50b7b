import BaseContracts
import EventLoops
import RPC
import TestSupport
import Testing
import Wire

@Suite("P54 Where a call was sent", .timeLimit(.minutes(3)))
struct CallNoteTests {
    /// An echo that answers with its own number.
    private static func saying(_ number: UInt8) -> Router {
        .echo(ScriptedEcho(unary: { _, _ in EchoResponse(payload: [number]) }))
    }

    @Test("is noted as the address's number in the order of names, the same on every loop")
    func replica() async throws {
        try await TestServer.with(each: (0..<3).map { Self.saying($0) }) { servers in
            let names = servers.map { "\($0.address)" }
            let sorted = names.sorted()
            try await servers.name.withClient(loops: 2) { client in
                for _ in 0..<30 {
                    let note = CallNote()
                    var options = CallOptions()
                    options.note = note
                    let answer = try await EchoServiceClient(client).echo(EchoRequest(), options)
                    let number = Int(try #require(answer.payload.first))
                    let replica = try #require(note.replica)
                    #expect(sorted[replica.number - 1] == names[number])
                    #expect(replica.count == 3 && replica.attempts == 1)
                }
            }
        }
    }

    @Test("is nothing when the call was not sent")
    func unsent() async throws {
        let port = try ClosedPort()
        try await TestClient.with(port.endpoint) { client in
            let note = CallNote()
            var options = CallOptions(timeout: .seconds(20))
            options.note = note
            let error = try await errorOf { [options] in
                try await EchoServiceClient(client).echo(EchoRequest(), options)
            }
            #expect(error?.code == .unavailable && note.replica == nil)
        }
        withExtendedLifetime(port) {}
    }
}
