/// The envelope of each message of a Connect stream: a byte of flags and four of length before it.
enum ConnectEnvelope {
    enum Flag {
        static let compressed: UInt8 = 1
        static let end: UInt8 = 2
    }

    /// What the body of a request is.
    enum Content: Equatable {
        /// One message in its envelope.
        case message(isCompressed: Bool)
        case noMessage
        case severalMessages
        /// Why it is not made of envelopes.
        case malformed(String)
    }

    private static let headBytes = 5

    static func wrap(_ message: [UInt8], flags: UInt8) -> [UInt8] {
        let length = UInt32(clamping: message.count)
        return [flags] + (0..<4).map { UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * $0)) } + message
    }

    static func content(of body: [UInt8]) -> Content {
        if body.isEmpty { return .noMessage }
        guard body.count >= headBytes else { return .malformed("the envelope of the request is cut off") }
        let length = body[1..<headBytes].reduce(0) { $0 << 8 | Int($1) }
        let count = body.count - headBytes
        guard length <= count else { return .malformed("the envelope declares \(length) bytes, \(count) came") }
        guard body[0] & ~Flag.compressed == 0 else {
            return .malformed("the envelope's flags are \(body[0]), 0 or 1 is needed")
        }
        let rest = count - length
        if rest >= headBytes { return .severalMessages }
        guard rest == 0 else { return .malformed("\(rest) bytes come behind the message") }
        return .message(isCompressed: body[0] & Flag.compressed != 0)
    }

    /// The message of a body that is one in its envelope.
    static func message(of body: [UInt8]) -> [UInt8] { Array(body.dropFirst(headBytes)) }
}
