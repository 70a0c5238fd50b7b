import EventLoops
import Wire

extension Channel {
    /// How long a stream without a deadline waits for a connection.
    private static let connectingTime: Duration = .seconds(10)

    /// Opens a stream; messages that come are put into `pending`. It is tried once, at another address if there is one.
    func open(
        _ pending: PendingCall, _ call: Call, _ deadline: MonotonicTime?, tried: [Balancer.Slot] = []
    ) async throws(AttemptFailure) -> (slot: Balancer.Slot, connection: ClientConnection, id: UInt32) {
        if tried.isEmpty { budget.callStarted(at: loop.now) }
        let place =
            if let found = pool.onLoop({ $0.find(tried, isRetry: false, isStream: true) }) {
                found
            } else {
                try await pool.expect(isRetry: false, isStream: true, before: connectingEnd(deadline))
            }
        var call = call
        return (place.slot, place.connection, try send(&call, pending, deadline, place.connection))
    }

    /// A stream at an address had its first answer, or ended without one. This shows whether the address answers: one
    /// that fails at once has the fewest open streams, and would be given all the next ones.
    func began(_ slot: Balancer.Slot, _ outcome: Balancer.Outcome) {
        pool.onLoop { $0.links.streamBegan(slot, outcome, at: $0.loop.now) }
    }

    /// The attempts so far of a stream that is to be tried again; otherwise throws its failure.
    func nextAttempt(
        _ attempts: Attempts, after failure: AttemptFailure, repeatable: Bool, _ deadline: MonotonicTime?
    ) async throws(RPCError) -> Attempts {
        var attempts = attempts
        try await prepareRetry(&attempts, after: failure, repeatable: repeatable, connectingEnd(deadline))
        return attempts
    }

    private func connectingEnd(_ deadline: MonotonicTime?) -> MonotonicTime {
        deadline ?? loop.now + Self.connectingTime
    }
}
