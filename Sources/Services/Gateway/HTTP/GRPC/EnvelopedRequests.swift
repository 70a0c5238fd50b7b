import Budgets
import HTTP
import RPC
import Synchronization

/// The messages of a call that come one by one, in the caller's encoding, each in an envelope.
final class EnvelopedRequests: RequestSource {
    /// What their bytes are.
    struct Form: Sendable {
        let codec: ConnectCodec
        /// The name of the message.
        let input: String
        /// How those are compressed that are marked so; nil when the caller did not say.
        let compression: String?
        /// The header that says it.
        let compressionHeader: String
        /// Whether a stream may end with an envelope of its own, as Connect's do, or be marked in another way.
        var knownFlags: UInt8 = ConnectEnvelope.Flag.compressed
    }

    private let body: HTTPBodyReader
    private let form: Form
    private let memory: RequestMemory
    private let large: LargeMessages
    private let buffer: Mutex<EnvelopeReader>

    init(_ body: HTTPBodyReader, _ memory: RequestMemory, _ form: Form, _ large: LargeMessages) {
        self.body = body
        self.memory = memory
        self.form = form
        self.large = large
        let limit =
            memory.standing == .stranger
            ? ConnectRequest.strangersUnpackedLimit : ConnectRequest.unpackedLimit
        buffer = Mutex(EnvelopeReader(limit: limit))
    }

    func next() async throws(RPCError) -> [UInt8]? {
        while true {
            if let envelope = try taken() { return try await packed(envelope) }
            let part: [UInt8]?
            do { part = try await body.next() } catch { throw RPCError(anyError: error) }
            guard let part else {
                try ended()
                return nil
            }
            let held = buffer.withLock { buffer in
                buffer.append(part)
                return buffer.heldBytes
            }
            guard memory.hold(message: held) else { throw .noMemory }
        }
    }

    private func taken() throws(RPCError) -> EnvelopeReader.Envelope? {
        try buffer.withLock { buffer in
            Result { () throws(EnvelopeReader.Fault) in try buffer.next() }
        }.mapError(\.rpcError).get()
    }

    private func ended() throws(RPCError) {
        try buffer.withLock { buffer in
            Result { () throws(EnvelopeReader.Fault) in try buffer.end() }
        }.mapError(\.rpcError).get()
    }

    private func packed(_ envelope: EnvelopeReader.Envelope) async throws(RPCError) -> [UInt8] {
        guard envelope.flags & ~form.knownFlags == 0 else {
            throw RPCError(.invalidArgument, "the envelope's flags are \(envelope.flags), 0 or 1 is needed")
        }
        let isCompressed = envelope.flags & ConnectEnvelope.Flag.compressed != 0
        let compression = isCompressed ? try form.named() : nil
        if !isCompressed, form.codec == .proto { return envelope.message }
        let (form, memory) = (form, memory)
        let isLarge = isCompressed || envelope.message.count >= LargeMessages.threshold
        let packed = try await large.run(isLarge: isLarge) { () throws(RPCError) in
            try form.codec.pack(
                ConnectRequest.body(envelope.message, compression: compression, memory), as: form.input)
        }
        guard memory.hold(message: buffer.withLock { $0.heldBytes } + packed.count) else { throw .noMemory }
        return packed
    }
}

extension EnvelopedRequests.Form {
    /// How a message is compressed that is marked so.
    func named() throws(RPCError) -> String {
        guard let compression, !compression.isEmpty, compression != "identity" else {
            throw RPCError(.internalError, "the message is compressed; \(compressionHeader) does not say how")
        }
        return compression
    }
}

extension EnvelopeReader.Fault {
    var rpcError: RPCError {
        switch self {
        case .tooLong(let length):
            RPCError(.resourceExhausted, "a message declares \(length) bytes, which is more than is allowed")
        case .cutOff: RPCError(.invalidArgument, "the envelope of the last message is cut off")
        }
    }
}
