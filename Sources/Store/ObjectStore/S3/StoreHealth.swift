import EventLoops
import Synchronization

/// Whether the store could be reached lately. While it could not, most requests fail at once: every caller waiting for
/// its own time-out would hold what it holds for nothing.
final class StoreHealth: Sendable {
    private struct State {
        var restsUntil: MonotonicTime?
        var failures = 0
    }

    private let state = Mutex(State())
    private let rests: ClosedRange<Duration>

    init(rests: ClosedRange<Duration>) { self.rests = rests }

    /// Whether a request may be made now.
    var isOpen: Bool { state.withLock { ($0.restsUntil ?? .now) <= .now } }

    func reached() { state.withLock { $0 = State() } }

    func missed() {
        state.withLock { state in
            state.restsUntil = .now + Backoff.longestWait(in: rests, failures: state.failures)
            state.failures += 1
        }
    }
}
