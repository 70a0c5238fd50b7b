import EventLoops
import RPC
import TestSupport

/// By gRPC-Web, whose calls are gRPC's behind the first bytes: HTTP/1.1 carries it.
struct ScopeGRPC: ScopeWay {
    let port: UInt16

    private static let endFlag: UInt8 = 0x80

    func answers(
        _ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions, isWatch: Bool
    ) async throws -> [[UInt8]] {
        let token = options.token.isEmpty ? [] : [("Authorization", "Bearer \(options.token)")]
        let socket = try await HTTPSocket(connectingTo: port)
        let fields = [("Content-Type", "application/grpc-web+proto")] + token
        try await socket.send("POST", "/\(method.path)", fields, body: Self.envelope(request))
        let head = try await socket.head()
        guard head.status == 200 else { throw RPCError(.unimplemented, "status \(head.status)") }
        var rest: [UInt8] = []
        var answers: [[UInt8]] = []
        let isChunked = head["transfer-encoding"] == "chunked"
        if !isChunked { rest = try await socket.take(head["content-length"].flatMap { Int($0) } ?? 0) }
        while true {
            while let (flags, message) = Self.next(&rest) {
                if flags == Self.endFlag {
                    try Self.check(String(decoding: message, as: UTF8.self))
                    return answers
                }
                answers.append(message)
                if isWatch { return answers }
            }
            let chunk = isChunked ? try await socket.chunk() : []
            guard !chunk.isEmpty else { throw RPCError(.internalError, "the body has no end") }
            rest += chunk
        }
    }

    private static func envelope(_ message: [UInt8]) -> [UInt8] {
        [0] + (0..<4).map { UInt8(truncatingIfNeeded: message.count >> (24 - 8 * $0)) } + message
    }

    private static func next(_ bytes: inout [UInt8]) -> (UInt8, [UInt8])? {
        let head = bytes.prefix(5)
        let count = head.dropFirst().reduce(0) { $0 << 8 | Int($1) }
        guard head.count == 5, bytes.count >= 5 + count else { return nil }
        defer { bytes.removeFirst(5 + count) }
        return (head[0], Array(bytes[5..<5 + count]))
    }

    /// Throws what the fields at the end say.
    private static func check(_ end: String) throws(RPCError) {
        var fields: [Substring: Substring] = [:]
        for line in end.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { fields[parts[0]] = parts[1].drop { $0 == " " } }
        }
        let code = fields["grpc-status"].flatMap { UInt32($0) }.flatMap { number in
            RPCCode.allCases.first { UInt32($0.rawValue) == number }
        }
        guard code != .ok else { return }
        throw RPCError(code ?? .unknown, unescaped(fields["grpc-message"] ?? ""))
    }

    private static func unescaped(_ text: Substring) -> String {
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        let rest = parts.dropFirst().flatMap { part -> [UInt8] in
            [UInt8(part.prefix(2), radix: 16) ?? 0] + Array(part.dropFirst(2).utf8)
        }
        return (parts.first ?? "") + String(decoding: rest, as: UTF8.self)
    }
}
