import RPC

/// What a load consists of: calls of one method, each with one of some requests.
struct Workload: Sendable {
    /// One that the client does not try again by itself: each failure shall be seen.
    let method: MethodDescriptor
    /// Packed.
    let requests: [[UInt8]]
    /// What a reader should know of the requests: "1.00 km, limit 20, 2,000 centres".
    let description: String
    /// How many things an answer holds; nil when they are not counted.
    let things: (@Sendable (_ answer: [UInt8]) throws -> Int)?
    let seed: UInt64

    init(
        _ method: MethodDescriptor, requests: [[UInt8]], description: String, seed: UInt64,
        things: (@Sendable (_ answer: [UInt8]) throws -> Int)? = nil
    ) {
        self.method = MethodDescriptor(
            service: method.service, method: method.method, kind: method.kind, isIdempotent: false,
            hasNoSideEffects: false)
        self.requests = requests
        self.description = description
        self.seed = seed
        self.things = things
    }

    /// Which request the call with this number has; the same for the same seed.
    func request(of turn: Int) -> Int {
        var random = QuickRandom(seed: seed &+ UInt64(truncatingIfNeeded: turn))
        return Int.random(in: 0..<requests.count, using: &random)
    }
}
