internal import Synchronization

/// Search memory that is not in use, so that a search allocates nothing.
///
/// `@unchecked Sendable`: a scratch is in the pool or with one search, never both; the mutex orders the hand-over.
package final class ScratchPool: @unchecked Sendable {
    /// No more than this are kept.
    private static let maximumKept = 64
    private let mutex = Mutex(())
    private var free: [SearchScratch] = []

    package init() {}

    /// Lends a scratch for as long as `body` runs.
    package func withScratch<R>(_ body: (SearchScratch) throws -> R) rethrows -> R {
        let scratch = mutex.withLock { _ in free.popLast() } ?? SearchScratch()
        defer { mutex.withLock { _ in if free.count < Self.maximumKept { free.append(scratch) } } }
        return try body(scratch)
    }
}
