import BaseContracts
import RPC
import TestSupport
import Testing
import Wire

@Suite("Status codes", .timeLimit(.minutes(3)))
struct StatusTests {
    private struct SecretError: Error, CustomStringConvertible {
        var description: String { "password is 1234" }
    }

    private struct DomainError: RPCErrorConvertible {
        var rpcError: RPCError { RPCError(.notFound, "no pin 7", cause: SecretError()) }
    }

    private func failure(of error: any Error, requestID: String = "") async throws -> RPCError? {
        let service = ScriptedEcho(unary: { _, _ in throw error }, stream: { _, _, _ in throw error })
        return try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let echo = EchoServiceClient(client)
                let options = CallOptions(requestID: requestID)
                let unary = try await errorOf { try await echo.echo(EchoRequest(), options) }
                let stream = try await errorOf {
                    for try await _ in echo.echoStream(EchoStreamRequest(), options) {}
                }
                #expect(unary?.code == stream?.code && unary?.message == stream?.message)
                #expect(unary?.details == stream?.details)
                return unary
            }
        }
    }

    @Test("arrive as they were thrown, with sentence and details", arguments: RPCCode.allCases.filter { $0 != .ok })
    func allCodes(code: RPCCode) async throws {
        let details = StatusDetails(
            fieldViolations: [FieldViolation(field: "radius_m", description: "-1 metres")], retryAfterMs: 250)
        let error = try await failure(of: RPCError(code, "a sentence with ünïcode", details: details))
        #expect(error?.code == code)
        #expect(error?.message == "a sentence with ünïcode")
        #expect(error?.details == details)
    }

    @Test("have gRPC's numbers and names")
    func numbers() {
        #expect(RPCCode.allCases.map(\.rawValue) == Array(0...16))
        #expect(RPCCode(wire: 14) == .unavailable)
        #expect(RPCCode(wire: 17) == .unknown && RPCCode(wire: .max) == .unknown)
        #expect(
            RPCCode.invalidArgument.description == "INVALID_ARGUMENT" && RPCCode.internalError.description == "INTERNAL"
        )
    }

    @Test("carry the request id of the call that failed")
    func requestID() async throws {
        let error = try await failure(of: RPCError(.aborted, "no"), requestID: "r-5")
        #expect(error?.details?.requestId == "r-5")
    }

    @Test("of an unknown error go out without its text")
    func unknownError() async throws {
        let error = try await failure(of: SecretError())
        #expect(error?.code == .unknown)
        #expect(error?.message.contains("1234") == false)
        #expect(error?.details == nil)
    }

    @Test("of a domain error are what it says, its cause stays inside")
    func domainError() async throws {
        let error = try await failure(of: DomainError())
        #expect(error?.code == .notFound)
        #expect(error?.message == "no pin 7")
        #expect(error?.cause == nil)
    }

    @Test("of a handler that throws CancellationError are CANCELLED")
    func cancellationError() async throws {
        #expect(try await failure(of: CancellationError())?.code == .cancelled)
    }

    @Test("name the refused field")
    func invalidField() {
        let error = RPCError.invalid("limit", "0 results were asked for, 1 to 200 are allowed")
        #expect(error.code == .invalidArgument)
        #expect(error.message.hasPrefix("limit: 0"))
        #expect(error.details?.fieldViolations.first?.field == "limit")
    }
}
