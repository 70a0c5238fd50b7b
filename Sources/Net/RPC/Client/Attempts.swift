import EventLoops
import Wire

/// The attempts of one call so far, and whether another one may follow.
struct Attempts {
    enum Step {
        case giveUp
        /// The server certainly did not start it and is leaving: try elsewhere, at once and without using the budget.
        case move
        /// With a token of the budget, elsewhere or after a pause.
        case retry
    }

    /// The addresses at which it failed.
    private(set) var tried: [Balancer.Slot]
    private var last: Balancer.Slot?
    private var retries = 0
    private var moves = 0

    private static let maximumRetries = 2
    private static let maximumMoves = 5

    init(tried: [Balancer.Slot] = []) { self.tried = tried }

    /// Whether this is not the first attempt.
    var isRetry: Bool { retries > 0 }

    /// How long to wait before the next retry when there is no other address.
    func pause(using random: inout QuickRandom) -> Duration {
        var backoff = Backoff(failures: retries - 1)
        return backoff.next(using: &random)
    }

    mutating func sent(to slot: Balancer.Slot) { last = slot }

    /// The step after a failure. `repeatable`: the call may be tried again although the server has started it.
    mutating func step(after failure: AttemptFailure, repeatable: Bool) -> Step {
        if failure.isFull { return .move }
        if let last { tried.append(last) }
        last = nil
        guard failure.error.code == .unavailable, failure.obstacle != .lasting else { return .giveUp }
        if failure.wasNotStarted, failure.obstacle == nil {
            moves += 1
            return moves <= Self.maximumMoves ? .move : .giveUp
        }
        guard failure.wasNotStarted || repeatable && !failure.isPutOff, retries < Self.maximumRetries else {
            return .giveUp
        }
        retries += 1
        return .retry
    }
}

/// Why one attempt of a call failed, and whether the server may have worked on it.
struct AttemptFailure: Error {
    let error: RPCError
    /// The server certainly did not start it: any method may be tried again.
    let wasNotStarted: Bool
    /// The connection reached its limit of calls between being found and being used: another one is to be tried.
    let isFull: Bool
    /// Why there was no connection to send it on; nil when there was one.
    let obstacle: Obstacle?

    enum Obstacle {
        /// No address can be reached now.
        case unreachable
        /// Trying again soon would not help: the client is closed, or the name has no address.
        case lasting
    }

    init(_ error: RPCError, wasNotStarted: Bool = false, isFull: Bool = false) {
        self.error = error
        self.wasNotStarted = wasNotStarted
        self.isFull = isFull
        obstacle = nil
    }

    /// The call was not sent.
    init(_ obstacle: Obstacle, _ error: RPCError) {
        self.error = error
        wasNotStarted = true
        isFull = false
        self.obstacle = obstacle
    }

    static let cancelled = AttemptFailure(RPCError(.cancelled, "the call was cancelled"), wasNotStarted: true)

    /// The longest wait, in milliseconds, for which a server is called again sooner than it says.
    private static let shortWait: UInt64 = 1_000

    /// Whether the server says to call again only after a while: by itself nothing is called before then.
    var isPutOff: Bool { !wasNotStarted && error.details?.retryAfterMs ?? 0 > Self.shortWait }

    /// What the failure says about the address that the call was sent to.
    var outcome: Balancer.Outcome {
        if wasNotStarted { return .notStarted }
        switch error.code {
        case .unavailable: return .failed
        case .resourceExhausted: return .refused
        case .deadlineExceeded: return .late
        case .cancelled: return .cancelled
        default: return .answered
        }
    }
}
