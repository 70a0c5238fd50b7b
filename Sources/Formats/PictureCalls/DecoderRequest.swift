/// What a decoder is asked. Over the socket each is a kind, the number of bytes that follow, and these.
package enum DecoderRequest: Equatable, Sendable {
    /// Notes in a file of their own, beside the next picture. It is not answered.
    case sidecar([UInt8])
    /// What does this file say, or the start of one?
    case look([UInt8])
    /// Make these of the file that was looked at; `limit` is the most bytes that it may have.
    case make([PictureOrder], limit: Int)

    /// The most orders at once.
    private static let orders = 8

    /// Its number.
    package var kind: UInt8 {
        switch self {
        case .sidecar: 1
        case .look: 2
        case .make: 3
        }
    }

    /// What follows the kind.
    package var packed: [UInt8] {
        switch self {
        case .sidecar(let bytes), .look(let bytes): return bytes
        case .make(let orders, let limit):
            var writer = ByteWriter()
            writer.add(limit)
            writer.add(orders.count)
            for order in orders {
                writer.add(order.longestSide)
                writer.add(order.quality)
            }
            return writer.bytes
        }
    }

    /// Nil when it is none.
    package init?(kind: UInt8, packed: [UInt8]) {
        switch kind {
        case 1: self = .sidecar(packed)
        case 2: self = .look(packed)
        case 3:
            guard let made = try? Self.order(packed) else { return nil }
            self = made
        default: return nil
        }
    }

    private static func order(_ packed: [UInt8]) throws(ByteReader.Malformed) -> DecoderRequest {
        var reader = ByteReader(packed[...])
        let limit = try reader.integer(in: 0...PictureLimit.ownBytes)
        var orders: [PictureOrder] = []
        for _ in 0..<(try reader.integer(in: 1...Self.orders)) {
            let side = try reader.integer(in: 1...PictureLimit.madeSide)
            orders.append(PictureOrder(longestSide: side, quality: try reader.integer(in: 1...100)))
        }
        try reader.end()
        return .make(orders, limit: limit)
    }
}

/// The head of what is sent either way: a kind, and how many bytes follow.
package enum DecoderFrame {
    /// Bytes of the head.
    package static let headBytes = 9
    /// The most bytes that follow one.
    package static let limit = PictureLimit.ownBytes

    package static func head(kind: UInt8, count: Int) -> [UInt8] {
        var writer = ByteWriter()
        writer.add(count)
        return [kind] + writer.bytes
    }

    /// Nil for what is no head.
    package static func parse(_ head: [UInt8]) -> (kind: UInt8, count: Int)? {
        guard head.count == headBytes, let kind = head.first else { return nil }
        var reader = ByteReader(head[1...])
        return (try? reader.integer(in: 0...limit)).map { (kind, $0) }
    }
}
