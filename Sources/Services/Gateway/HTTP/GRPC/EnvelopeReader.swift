/// Takes a stream of envelopes apart as its bytes come: a byte of flags, four of length, a message. Connect's streams
/// and gRPC's are made of them.
struct EnvelopeReader {
    struct Envelope: Equatable {
        let flags: UInt8
        let message: [UInt8]
    }

    enum Fault: Error, Equatable {
        /// A message declares more bytes than are allowed.
        case tooLong(Int)
        /// The stream ends within an envelope.
        case cutOff
    }

    static let headBytes = 5
    /// Bytes of a message at most.
    let limit: Int
    private var bytes: [UInt8] = []
    private var start = 0

    init(limit: Int) { self.limit = limit }

    /// Bytes of memory that it holds.
    var heldBytes: Int { bytes.capacity }

    mutating func append(_ more: [UInt8]) {
        if start == bytes.count {
            (bytes, start) = (more, 0)
        } else {
            bytes.removeFirst(start)
            start = 0
            bytes += more
        }
    }

    /// The next envelope, once it is whole.
    mutating func next() throws(Fault) -> Envelope? {
        let head = bytes[start...].prefix(Self.headBytes)
        guard head.count == Self.headBytes else { return nil }
        let length = head.dropFirst().reduce(0) { $0 << 8 | Int($1) }
        guard length <= limit else { throw .tooLong(length) }
        let begin = start + Self.headBytes
        guard bytes.count - begin >= length else { return nil }
        let flags = bytes[start]
        start = begin + length
        return Envelope(flags: flags, message: Array(bytes[begin..<start]))
    }

    /// The stream has ended.
    func end() throws(Fault) { if start < bytes.count { throw .cutOff } }
}
