package import EventLoops
import Wire

/// A call that was sent. Its answer is to be awaited once, whatever becomes of its caller.
package final class SentCall: Sendable {
    let channel: Channel
    let pending: PendingUnary
    let place: Place
    let id: UInt32
    let call: Call
    let deadline: MonotonicTime
    let repeatable: Bool
    let note: CallNote?

    init(
        _ channel: Channel, _ pending: PendingUnary, at place: Place, _ id: UInt32,
        _ call: Call, _ deadline: MonotonicTime, repeatable: Bool, _ note: CallNote?
    ) {
        self.channel = channel
        self.pending = pending
        self.place = place
        self.id = id
        self.call = call
        self.deadline = deadline
        self.repeatable = repeatable
        self.note = note
    }

    /// The answer's bytes, and when they came. A call that failed is tried again as any other.
    nonisolated(nonsending) package func answer() async throws(RPCError) -> (bytes: [UInt8], end: MonotonicTime) {
        // What has come already needs no task to be switched.
        if channel.loop.isCurrent, case .success(let bytes)? = pending.outcome {
            channel.onLoop { $0.answered(place) }
            return (bytes, pending.end ?? .now)
        }
        return try await channel.answer(of: self)
    }
}

extension Channel {
    /// Sends a call at once, if there is a connection that takes it.
    func send(_ call: Call, repeatable: Bool, _ deadline: MonotonicTime, _ note: CallNote?) -> SentCall? {
        var call = call
        guard let place = find(Attempts()) else { return nil }
        budget.callStarted(at: loop.now)
        let pending = PendingUnary()
        do throws(AttemptFailure) {
            let id = try send(&call, pending, deadline, place.connection)
            if let note { write(place, to: note) }
            return SentCall(
                self, pending, at: place, id, call, deadline, repeatable: repeatable, note)
        } catch {
            failed(place, error)
            return nil
        }
    }

    fileprivate func answer(of sent: SentCall) async throws(RPCError) -> (bytes: [UInt8], end: MonotonicTime) {
        do throws(AttemptFailure) {
            let bytes = try await answer(sent.pending, sent.id, sent.place.connection)
            answered(sent.place)
            return (bytes, sent.pending.end ?? .now)
        } catch {
            failed(sent.place, error)
            var attempts = Attempts()
            attempts.sent(to: sent.place.slot)
            try await prepareRetry(&attempts, after: error, repeatable: sent.repeatable, sent.deadline)
            let bytes = try await unary(sent.call, repeatable: sent.repeatable, sent.deadline, sent.note, attempts)
            return (bytes, .now)
        }
    }
}
