import EventLoops
import PictureCalls

/// Processes that read pictures: as many at a time as there are threads for them. One that dies costs nothing but its
/// picture.
struct PictureDecoders: Sendable {
    /// This picture takes so much memory that it has to be made alone.
    struct TakesMuch: Error {}

    private let host: DecoderHost
    private let threads: BlockingPool
    private let limits: Limits

    /// What one decoder may take.
    struct Limits: Sendable {
        var life = Duration.seconds(45)
        /// For pictures that are decoded in parallel with others.
        var sharedBytes = PictureLimit.sharedBytes
    }

    /// Uses a host that was started; at most `count` decoders run at once.
    init(_ host: DecoderHost, count: Int, limits: Limits = Limits()) {
        self.host = host
        self.limits = limits
        threads = BlockingPool(threadCount: count, queueLimit: 256, name: "decoder")
    }

    /// Makes pictures of a file, which `read` gives. Throws `TakesMuch` when that has to be done for
    /// `DecoderPurpose.large`.
    func make(
        _ orders: [PictureOrder], for purpose: DecoderPurpose, limit: Int,
        _ read: @escaping @Sendable () throws -> [UInt8]
    ) async throws -> MadePictures {
        try await threads.run { [host, limits] in
            let file = try read()
            guard file.count <= limit else { throw PictureProblem.tooLarge(limit: limit) }
            var seat = DecoderSeat(host, purpose, limits)
            return try seat.make(orders, of: file, limit: limit)
        }
    }

    /// Runs work that looks at files, on a thread of its own.
    func look<Value: Sendable>(_ body: @escaping @Sendable (inout DecoderSeat) throws -> Value) async throws -> Value {
        try await threads.run { [host, limits] in
            var seat = DecoderSeat(host, .usual, limits)
            return try body(&seat)
        }
    }

    /// Ends all decoders; work that still runs fails.
    func close(_ blocking: BlockingPool) async {
        host.stop()
        try? await blocking.run { [threads] in threads.close() }
    }
}

/// The place of a decoder: another one comes when it has ended. All of it blocks.
struct DecoderSeat {
    /// How many may die of one picture before it counts as deadly: another may have been killed for nothing.
    private static let tries = 3

    private let host: DecoderHost
    private let purpose: DecoderPurpose
    private let limits: PictureDecoders.Limits
    private var socket: DecoderSocket?

    init(_ host: DecoderHost, _ purpose: DecoderPurpose, _ limits: PictureDecoders.Limits) {
        self.host = host
        self.purpose = purpose
        self.limits = limits
    }

    /// What a file says, or the start of one, and its sidecar.
    mutating func notes(of file: [UInt8], sidecar: [UInt8] = []) throws(PictureProblem) -> PictureNotes {
        let answer = try asking { socket throws(DecoderEnd) in
            if !sidecar.isEmpty { try socket.send(.sidecar(sidecar)) }
            try socket.send(.look(file))
            return try socket.answer()
        }
        return try Self.notes(answer)
    }

    /// Pictures of a whole file.
    mutating func make(_ orders: [PictureOrder], of file: [UInt8], limit: Int) throws -> MadePictures {
        let (most, request) = (
            purpose == .large ? Int.max : limits.sharedBytes, DecoderRequest.make(orders, limit: limit)
        )
        let answer = try asking { socket throws(DecoderEnd) -> DecoderAnswer? in
            try socket.send(.look(file))
            let looked = try socket.answer()
            guard case .notes(let notes) = looked else { return looked }
            guard notes.decodingBytes <= most else { return nil }
            try socket.send(request)
            return try socket.answer()
        }
        guard let answer else { throw PictureDecoders.TakesMuch() }
        switch answer {
        case .made(let made) where made.pictures.count == orders.count: return made
        case .problem(let problem): throw problem
        case .made, .notes: throw PictureProblem.deadly("its decoder answers something else")
        }
    }

    private static func notes(_ answer: DecoderAnswer) throws(PictureProblem) -> PictureNotes {
        switch answer {
        case .notes(let notes): return notes
        case .problem(let problem): throw problem
        case .made: throw .deadly("its decoder answers something else")
        }
    }

    private mutating func asking<Answer>(
        _ body: (DecoderSocket) throws(DecoderEnd) -> Answer
    ) throws(PictureProblem) -> Answer {
        var reason = ""
        for _ in 0..<Self.tries {
            do throws(DecoderEnd) {
                return try body(try current())
            } catch {
                socket = nil
                switch error {
                case .unavailable(let reason): throw .unreadable("no decoder can be started: \(reason)")
                // That may be the machine's fault, and has cost enough already.
                case .late: throw .unreadable("its decoder takes too long")
                case .died(let how): reason = how
                }
            }
        }
        throw .deadly("\(Self.tries) decoders were given it: \(reason)")
    }

    private mutating func current() throws(DecoderEnd) -> DecoderSocket {
        if let socket, .now < socket.isOldFrom { return socket }
        let new = try DecoderSocket(host, purpose, life: limits.life)
        socket = new
        return new
    }
}
