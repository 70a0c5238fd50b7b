import Contracts
import Daemon
import RPC
import TestSupport
import Testing
import Wire

@Suite("Echo", .timeLimit(.minutes(3)))
struct EchoHandlerTests {
    private func withEcho(_ body: (EchoServiceClient) async throws -> Void) async throws {
        try await TestServer.with(Router([EchoHandler()])) { server in
            try await server.withClient { client in try await body(EchoServiceClient(client)) }
        }
    }

    @Test("gives back what it is sent, once or often")
    func echoes() async throws {
        try await withEcho { echo in
            let answer = try await echo.echo(EchoRequest(payload: [1, 2, 3]))
            #expect(answer.payload == [1, 2, 3])
            var answers: [EchoStreamResponse] = []
            for try await answer in echo.echoStream(EchoStreamRequest(payload: [7], count: 3)) {
                answers.append(answer)
            }
            #expect(answers == (0..<3).map { EchoStreamResponse(payload: [7], index: $0) })
        }
    }

    @Test("waits no longer than its caller")
    func delay() async throws {
        try await withEcho { echo in
            let request = EchoRequest(delay: DurationMessage(seconds: 5))
            let error = try await errorOf { try await echo.echo(request, CallOptions(timeout: .milliseconds(20))) }
            #expect(error?.code == .deadlineExceeded)
            _ = try await echo.echo(EchoRequest(delay: DurationMessage(nanos: 1)))
        }
    }

    @Test("D6 refuses what is out of range, names the field, and holds no call longer than it says")
    func refusals() async throws {
        try await withEcho { echo in
            for delay in [
                DurationMessage(seconds: -1), DurationMessage(seconds: .max), DurationMessage(nanos: -1),
                DurationMessage(seconds: 5, nanos: 1), DurationMessage(seconds: 20),
            ] {
                let error = try await errorOf {
                    try await echo.echo(EchoRequest(delay: delay), CallOptions(timeout: .seconds(60)))
                }
                #expect(error?.code == .invalidArgument)
                #expect(error?.details?.fieldViolations.first?.field == "delay")
                #expect(error?.message.hasSuffix("is not allowed; 0 to 5 seconds are") == true)
            }
            let error = try await errorOf {
                for try await _ in echo.echoStream(EchoStreamRequest(count: 1_000_001)) {}
            }
            #expect(error?.code == .invalidArgument)
            #expect(error?.details?.fieldViolations.first?.field == "count")
        }
    }
}
