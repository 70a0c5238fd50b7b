internal import EventLoops
package import RPC

extension CallContext {
    /// When the caller stops waiting, by the clock of the storage.
    package var storageDeadline: ContinuousClock.Instant? { remaining.map { .now + $0 } }
}
