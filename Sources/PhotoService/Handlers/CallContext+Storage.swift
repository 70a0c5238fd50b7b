import EventLoops
import RPC

extension CallContext {
    /// When the caller stops waiting, by the clock of the storage.
    var storageDeadline: ContinuousClock.Instant? { remaining.map { .now + $0 } }
}
