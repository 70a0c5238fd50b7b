/// The kind of a frame. The numbers are those on the wire.
package enum FrameKind: UInt8, Sendable, CaseIterable {
    /// First frame of each side: who it is and what it accepts.
    case hello = 1
    /// Starts a call.
    case call = 2
    /// One packed message of a call.
    case message = 3
    /// Ends a call with a status.
    case status = 4
    /// The caller is no longer interested.
    case cancel = 5
    /// Asks for a pong with the same payload.
    case ping = 6
    /// Answers a ping.
    case pong = 7
    /// No new calls on this connection.
    case goAway = 8
    /// Room for more bytes of a stream.
    case credit = 9

    /// The most bytes of payload in a frame of this kind, whatever the connection's limit.
    package var maximumPayload: Int {
        switch self {
        case .call, .message: .max
        case .status: 256 << 10
        case .hello, .goAway: 8 << 10
        case .cancel, .ping, .pong, .credit: 1 << 10
        }
    }
}

/// The fixed part of a frame.
///
/// ```
/// byte  0 1 2 3   length: how many bytes follow these four, big-endian; at least 8
/// byte  4         version: 1
/// byte  5         kind
/// byte  6         flags: 0x01 END, the sender's last message in this call
/// byte  7         reserved: 0
/// byte  8 9 10 11 call id, big-endian; 0 for frames of the connection
/// byte 12 …       payload: length - 8 bytes
/// ```
package struct FrameHeader: Equatable, Sendable {
    /// The version that this code speaks.
    package static let version: UInt8 = 1
    /// Bytes from the length to the call id.
    package static let byteCount = 12
    /// Bytes of the header that the length counts.
    static let countedBytes = 8
    static let endFlag: UInt8 = 0x01

    package let kind: FrameKind
    /// Whether the sender sends nothing more in this call.
    package let isEnd: Bool
    /// Names the call on its connection; 0 for frames of the connection itself.
    package let callID: UInt32

    package init(_ kind: FrameKind, callID: UInt32 = 0, isEnd: Bool = false) {
        self.kind = kind
        self.isEnd = isEnd
        self.callID = callID
    }
}

/// Why bytes are not a frame. Each ends the connection.
package enum FrameError: Error, Equatable, CustomStringConvertible {
    case tooLong(byteCount: Int, limit: Int)
    case tooShort(byteCount: Int)
    case version(UInt8)
    case kind(UInt8)
    case flags(UInt8)
    case reserved(UInt8)
    case tls
    case http

    package var description: String {
        switch self {
        case .tooLong(let count, let limit): "a frame has \(count) bytes of payload, at most \(limit) are allowed"
        case .tooShort(let count): "a frame's length is \(count), at least \(FrameHeader.countedBytes) is needed"
        case .version(let version): "a frame has version \(version), only \(FrameHeader.version) is spoken here"
        case .kind(let kind): "a frame has the unknown kind \(kind)"
        case .flags(let flags): "a frame has the unknown flags \(flags)"
        case .reserved(let byte): "a frame's reserved byte is \(byte), it must be 0"
        case .tls: "the peer speaks TLS, and this side does not"
        case .http: "the peer speaks HTTP, and this port does not; the gateway has another one for it"
        }
    }
}

extension FrameHeader {
    /// The kinds of TLS records are 20 to 23, and the major version behind them is 3.
    private static let tlsStart = 20 << 24

    /// How requests and answers of HTTP begin, HTTP/2 among them, as a frame's length: each would be a gigabyte.
    private static let httpStarts = [
        "GET ", "HEAD", "POST", "PUT ", "DELE", "OPTI", "PATC", "CONN", "PRI ", "HTTP",
    ].map { $0.utf8.reduce(0) { $0 << 8 | Int($1) } }

    /// Whether the bytes begin a record of TLS.
    static func looksLikeTLS(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes.count > 2 && (20...23).contains(bytes[0]) && bytes[1] == 3
    }

    /// Reads a header from at least 12 bytes; also gives the payload's size.
    static func read(
        _ bytes: UnsafeRawBufferPointer, maximumPayload: Int
    ) throws(FrameError) -> (header: FrameHeader, payloadBytes: Int) {
        let length = Int(unsafe UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)))
        // As a length, it would be more than any frame may have.
        if length >= tlsStart, unsafe looksLikeTLS(bytes) { throw .tls }
        if length >= tlsStart, httpStarts.contains(length) { throw .http }
        guard length >= countedBytes else { throw .tooShort(byteCount: length) }
        let payload = length - countedBytes
        let rest = unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self).littleEndian
        let version = UInt8(truncatingIfNeeded: rest)
        let kind = UInt8(truncatingIfNeeded: rest >> 8)
        let flags = UInt8(truncatingIfNeeded: rest >> 16)
        let reserved = UInt8(truncatingIfNeeded: rest >> 24)
        // The version comes first: in another version the other fields may mean anything.
        guard version == Self.version else { throw .version(version) }
        guard let known = FrameKind(rawValue: kind) else { throw .kind(kind) }
        guard flags & ~endFlag == 0 else { throw .flags(flags) }
        guard reserved == 0 else { throw .reserved(reserved) }
        let limit = min(maximumPayload, known.maximumPayload)
        guard payload <= limit else { throw .tooLong(byteCount: payload, limit: limit) }
        let callID = unsafe UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        return (FrameHeader(known, callID: callID, isEnd: flags & endFlag != 0), payload)
    }

    /// Writes the header into the first 12 bytes of `bytes`.
    func write(to bytes: UnsafeMutableRawBufferPointer, payloadBytes: Int) {
        let length = UInt32(payloadBytes + Self.countedBytes)
        let rest = UInt32(Self.version) | UInt32(kind.rawValue) << 8 | UInt32(isEnd ? Self.endFlag : 0) << 16
        unsafe bytes.storeBytes(of: length.bigEndian, toByteOffset: 0, as: UInt32.self)
        unsafe bytes.storeBytes(of: rest.littleEndian, toByteOffset: 4, as: UInt32.self)
        unsafe bytes.storeBytes(of: callID.bigEndian, toByteOffset: 8, as: UInt32.self)
    }
}
