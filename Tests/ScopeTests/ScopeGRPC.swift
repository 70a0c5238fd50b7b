import EventLoops
import RPC
import TestSupport

/// By gRPC over HTTP/2, as its clients call.
struct ScopeGRPC: ScopeWay {
    let port: UInt16

    func answers(
        _ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions, isWatch: Bool
    ) async throws -> [[UInt8]] {
        let token = options.token.isEmpty ? [] : [("authorization", "Bearer \(options.token)")]
        let client = try await HTTP2Client(connectingTo: port)
        let fields = [("content-type", "application/grpc+proto"), ("te", "trailers")] + token
        let stream = try await client.ask("POST", "/\(method.path)", fields, body: Self.envelope(request))
        let answer =
            try await isWatch ? client.part(stream) { Self.isMessage($0) || Self.isOver($0) } : client.answer(stream)
        guard answer.status == "200" else { throw RPCError(.unimplemented, "status \(answer.status)") }
        if !isWatch || !Self.isMessage(answer) { try Self.check(answer) }
        var rest = answer.body
        var answers: [[UInt8]] = []
        while let message = Self.next(&rest) { answers.append(message) }
        return isWatch ? Array(answers.prefix(1)) : answers
    }

    private static func isOver(_ answer: HTTP2Client.Answer) -> Bool {
        answer.head["grpc-status"] != nil || !answer.trailers.isEmpty || answer.reset != nil
    }

    private static func isMessage(_ answer: HTTP2Client.Answer) -> Bool {
        var bytes = answer.body
        return next(&bytes) != nil
    }

    private static func envelope(_ message: [UInt8]) -> [UInt8] {
        [0] + (0..<4).map { UInt8(truncatingIfNeeded: message.count >> (24 - 8 * $0)) } + message
    }

    private static func next(_ bytes: inout [UInt8]) -> [UInt8]? {
        let head = bytes.prefix(5)
        let count = head.dropFirst().reduce(0) { $0 << 8 | Int($1) }
        guard head.count == 5, bytes.count >= 5 + count else { return nil }
        defer { bytes.removeFirst(5 + count) }
        return Array(bytes[5..<5 + count])
    }

    /// Throws what the fields at the end say; of an answer without messages they are its head.
    private static func check(_ answer: HTTP2Client.Answer) throws(RPCError) {
        let end = answer.trailers["grpc-status"] == nil ? answer.head : answer.trailers
        let code = end["grpc-status"].flatMap { UInt32($0) }.flatMap { number in
            RPCCode.allCases.first { UInt32($0.rawValue) == number }
        }
        guard code != .ok else { return }
        throw RPCError(code ?? .unknown, unescaped((end["grpc-message"] ?? "")[...]))
    }

    private static func unescaped(_ text: Substring) -> String {
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        let rest = parts.dropFirst().flatMap { part -> [UInt8] in
            [UInt8(part.prefix(2), radix: 16) ?? 0] + Array(part.dropFirst(2).utf8)
        }
        return (parts.first ?? "") + String(decoding: rest, as: UTF8.self)
    }
}
