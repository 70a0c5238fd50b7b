import Contracts
import FoundationEssentials
import Glibc
import HTTP
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@testable import Gateway

/// The cases are in `Tests/ConnectTests`, with a client that shares no code with this server.
@Suite("P37 the cases of Connect's conformance suite", .timeLimit(.minutes(5)))
struct ConnectSuiteTests {
    private static let client =
        #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/ConnectTests/suite.py"

    private static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    @Test("pass, but for the exceptions that they are reported with")
    func cases() async throws {
        let certificates = try TestCertificates.shared.get()
        let files = [
            "--http-tls-certificate", certificates.server.certificate, "--http-tls-key", certificates.server.key,
        ]
        // A client that is not slow is no attack here.
        let quick = ["--rate", "1000000"]
        var backends = FakeBackends()
        backends.echo = ConnectScript.echo
        try await RunningGateway.with(backends, settings: quick) { plain in
            try await RunningGateway.with(backends, settings: quick + files) { secure in
                let suite = Self.variable("WAYMARK_CONNECT_SUITE").map { ["--suite", $0] } ?? []
                let end = try await ProgramRun.run(
                    Self.variable("WAYMARK_TEST_PYTHON") ?? "/usr/bin/python3",
                    [
                        "-B", Self.client, "--http", "127.0.0.1:\(plain.http.port)",
                        "--https", "127.0.0.1:\(secure.http.port)", "--authority", certificates.authority,
                        "--limit", "\(ConnectRequest.unpackedLimit)",
                    ] + suite)
                print(end.output)
                let failures = end.output.split(separator: "\n").filter { !$0.hasPrefix("passed ") }
                #expect(end.code == 0, "\(failures.joined(separator: "\n"))\(end.errors)")
            }
        }
    }
}

/// What a call of a case is to be answered with: the payload of its request, up to a zero byte.
private struct ConnectScript: Decodable {
    struct Failure: Decodable {
        let code: String
        let message: String

        var error: RPCError {
            RPCError(RPCCode.allCases.first { $0.connectName == code } ?? .unknown, message)
        }
    }

    /// What the method got, in its first answer.
    struct Answer: Encodable {
        let data: [UInt8]
        var count: Int?
        var request: Data?
        var timeoutMs: Int64?

        private enum CodingKeys: String, CodingKey { case data, count, request, timeoutMs }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(Data(data), forKey: .data)
            try container.encodeIfPresent(count, forKey: .count)
            try container.encodeIfPresent(request, forKey: .request)
            try container.encodeIfPresent(timeoutMs, forKey: .timeoutMs)
        }
    }

    private static let longestEcho = 10_000

    var answers: [Data] = []
    var error: Failure?
    var delayMs: Int64 = 0

    init(_ payload: [UInt8]) throws {
        guard !payload.isEmpty else { return }
        self = try JSONDecoder().decode(Self.self, from: Data(payload.prefix { $0 != 0 }))
    }

    /// The bytes of the answer with this number.
    private func answer(_ index: Int, to payload: [UInt8], _ context: CallContext) throws -> [UInt8] {
        var answer = Answer(data: answers.indices.contains(index) ? Array(answers[index]) : [])
        if index == 0 {
            answer.count = payload.count
            answer.request = payload.count < Self.longestEcho ? Data(payload) : nil
            answer.timeoutMs = context.remaining.map { Int64($0 / .milliseconds(1)) }
        }
        return Array(try JSONEncoder().encode(answer))
    }

    /// A delay is always longer than its caller waits.
    private func wait() async throws {
        if delayMs > 0 { try await Tally().addWhenCancelled() }
    }

    static let echo = ScriptedEcho(
        unary: { request, context in
            let script = try ConnectScript(request.payload)
            try await script.wait()
            if let failure = script.error { throw failure.error }
            return EchoResponse(payload: try script.answer(0, to: request.payload, context))
        },
        stream: { request, responses, context in
            let script = try ConnectScript(request.payload)
            for index in script.answers.indices {
                try await script.wait()
                let payload = try script.answer(index, to: request.payload, context)
                try await responses.write(EchoStreamResponse(payload: payload))
            }
            if let failure = script.error { throw failure.error }
        })
}
