internal import EventLoops
import Synchronization

/// The circuit breaker of a kind of job whose peer can be away. While it is, one job at a time tries, less and less
/// often, and all others wait: thousands that try by themselves would keep the store and the processor busy. Times are
/// in milliseconds since 1970, by the clock of the jobs.
final class PeerBreaker: Sendable {
    /// Tries without an answer since the last that had one, and when the next may be made.
    private typealias State = (failures: Int, nextTry: Int64)

    /// The longest wait between two tries. When the peer is back, it is noticed by then.
    private static let longest = Duration.seconds(5)

    private let waits: ClosedRange<Duration>
    private let state = Mutex<State>((0, 0))

    /// - Parameter backoff: how long a job of the kind waits after failures.
    init(_ backoff: ClosedRange<Duration>) {
        waits = backoff.lowerBound...max(backoff.lowerBound, min(backoff.upperBound, Self.longest))
    }

    /// Whether the peer was away at the last try.
    var isAway: Bool { state.withLock { $0.failures > 0 } }

    /// How long until the next try may be made; nil when one may.
    func left(at now: Int64) -> Duration? {
        state.withLock { state in
            let left = Duration.milliseconds(state.nextTry.addingClamped(-now))
            return state.failures > 0 && left > .zero && left <= waits.upperBound ? left : nil
        }
    }

    /// How long a worker has to wait; nil when it may run a job now.
    func wait(at now: Int64) -> Duration? {
        state.withLock { state in
            guard state.failures > 0 else { return nil }
            let left = Duration.milliseconds(state.nextTry.addingClamped(-now))
            // One further ahead was set before the clock was set back.
            if left > .zero, left <= waits.upperBound { return left }
            fail(&state, now)
            return nil
        }
    }

    /// A job's run has ended.
    func record(isAway: Bool, at now: Int64) {
        state.withLock { state in
            if !isAway { state.failures = 0 } else if state.failures == 0 { fail(&state, now) }
        }
    }

    private func fail(_ state: inout State, _ now: Int64) {
        let wait = Backoff.longestWait(in: waits, failures: state.failures)
        state = (state.failures + 1, now.addingClamped(wait.wholeMilliseconds))
    }
}
