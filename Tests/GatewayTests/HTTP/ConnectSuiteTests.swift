import Contracts
import FoundationEssentials
import Glibc
import HTTP
import RPC
import TestProtos
import TestSupport
import TestTools
import Testing
import Wire

@testable import Gateway

/// The cases are in `Tests/ConnectTests`, with a client that shares no code with this server.
@Suite("P37 the cases of Connect's conformance suite, by Connect, gRPC and gRPC-Web", .timeLimit(.minutes(5)))
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
                    try PythonPeer().python,
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

/// What a call of a case is to be answered with: the payload of its first request, up to a zero byte.
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
        var got: Got?
        var timeoutMs: Int64?

        private enum CodingKeys: String, CodingKey { case data, count, requests, request, timeoutMs }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(Data(data), forKey: .data)
            try container.encodeIfPresent(got?.bytes, forKey: .count)
            try container.encodeIfPresent(got?.requests, forKey: .requests)
            try container.encodeIfPresent(got?.echo, forKey: .request)
            try container.encodeIfPresent(timeoutMs, forKey: .timeoutMs)
        }
    }

    /// The requests of a call, so far.
    struct Got {
        private static let longestEcho = 10_000

        private(set) var first: [UInt8] = []
        private(set) var bytes = 0
        private(set) var requests = 0

        init() {}
        init(_ payload: [UInt8]) { add(payload) }

        mutating func add(_ payload: [UInt8]) {
            if requests == 0 { first = payload }
            bytes += payload.count
            requests += 1
        }

        /// The first, where it is short.
        var echo: Data? { first.count < Self.longestEcho ? Data(first) : nil }
    }

    var answers: [Data] = []
    var error: Failure?
    var delayMs: Int64 = 0
    /// Whether each request is answered as it comes.
    var isFull = false

    init(_ payload: [UInt8]) throws {
        guard !payload.isEmpty else { return }
        self = try JSONDecoder().decode(Self.self, from: Data(payload.prefix { $0 != 0 }))
    }

    /// The bytes of the answer with this number.
    private func answer(_ index: Int, to got: Got, _ context: CallContext) throws -> [UInt8] {
        var answer = Answer(data: answers.indices.contains(index) ? Array(answers[index]) : [])
        if index == 0 {
            answer.got = got
            answer.timeoutMs = context.remaining.map { Int64($0 / .milliseconds(1)) }
        }
        return Array(try JSONEncoder().encode(answer))
    }

    /// A delay is always longer than its caller waits.
    private func wait() async throws {
        if delayMs > 0 { try await Tally().addWhenCancelled() }
    }

    /// The one answer.
    private func single(to got: Got, _ context: CallContext) async throws -> [UInt8] {
        try await wait()
        if let error { throw error.error }
        return try answer(0, to: got, context)
    }

    static let echo = ScriptedEcho(
        unary: { request, context in
            let script = try ConnectScript(request.payload)
            return EchoResponse(payload: try await script.single(to: Got(request.payload), context))
        },
        stream: { request, responses, context in
            let script = try ConnectScript(request.payload)
            for index in script.answers.indices {
                try await script.wait()
                let payload = try script.answer(index, to: Got(request.payload), context)
                try await responses.write(EchoStreamResponse(payload: payload))
            }
            if let failure = script.error { throw failure.error }
        },
        joined: { requests, context in
            var got = Got()
            for try await request in requests { got.add(request.payload) }
            return EchoJoinedResponse(payload: try await ConnectScript(got.first).single(to: got, context))
        },
        each: { requests, responses, context in
            var (got, index) = (Got(), 0)
            for try await request in requests {
                got.add(request.payload)
                let script = try ConnectScript(got.first)
                guard script.isFull else { continue }
                if script.answers.indices.contains(index) {
                    try await script.wait()
                    try await responses.write(EchoEachResponse(payload: script.answer(index, to: got, context)))
                    index += 1
                } else if let failure = script.error {
                    throw failure.error
                }
            }
            let script = try ConnectScript(got.first)
            for next in script.answers.indices.dropFirst(index) {
                try await script.wait()
                try await responses.write(EchoEachResponse(payload: script.answer(next, to: got, context)))
            }
            if let failure = script.error { throw failure.error }
        })
}
