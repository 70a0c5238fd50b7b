/// The envelope of each message of a Connect stream: a byte of flags and four of length before it.
enum ConnectEnvelope {
    enum Flag {
        static let compressed: UInt8 = 1
        static let end: UInt8 = 2
    }

    /// The content of a request's body.
    enum Content: Equatable {
        case message([UInt8], isCompressed: Bool)
        /// Why it is not one message in its envelope.
        case refused(String)
    }

    private static let headBytes = 5

    static func wrap(_ message: [UInt8], flags: UInt8) -> [UInt8] {
        let length = UInt32(clamping: message.count)
        return [flags] + (0..<4).map { UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * $0)) } + message
    }

    static func content(of body: [UInt8]) -> Content {
        guard body.count >= headBytes else { return .refused("the request has no enveloped message") }
        let length = body[1..<headBytes].reduce(0) { $0 << 8 | Int($1) }
        let count = body.count - headBytes
        guard length == count else {
            return .refused("the envelope declares \(length) bytes, \(count) came; one message is needed")
        }
        guard body[0] & ~Flag.compressed == 0 else {
            return .refused("the envelope's flags are \(body[0]), 0 or 1 is needed")
        }
        return .message(Array(body[headBytes...]), isCompressed: body[0] & Flag.compressed != 0)
    }
}
