import Synchronization

/// Counters of a database since it was opened, which only grow, and the number of transactions waiting now.
package struct DatabaseMetrics: Equatable, Sendable {
    /// Groups made durable: with many writers far fewer than `writes`.
    package var commits = 0
    /// Writing transactions acknowledged.
    package var writes = 0
    /// Reading transactions answered.
    package var reads = 0
    /// Waits for an answer of a server: what is sent together counts once.
    package var roundTrips = 0
    /// Transactions refused because too many waited.
    package var refused = 0
    /// Copies of the log into the database file that failed. Nothing is lost; the log grows until one succeeds.
    package var failedCheckpoints = 0
    /// Writing transactions that wait now.
    package var waitingWrites = 0
    /// Reading transactions that wait now.
    package var waitingReads = 0
}

/// The counters behind `DatabaseMetrics`, shared by the storage threads.
final class DatabaseCounters: Sendable {
    let commits = Atomic(0)
    let writes = Atomic(0)
    let reads = Atomic(0)
    let roundTrips = Atomic(0)
    let refused = Atomic(0)
    let failedCheckpoints = Atomic(0)

    var snapshot: DatabaseMetrics {
        var metrics = DatabaseMetrics()
        metrics.commits = commits.load(ordering: .relaxed)
        metrics.writes = writes.load(ordering: .relaxed)
        metrics.reads = reads.load(ordering: .relaxed)
        metrics.roundTrips = roundTrips.load(ordering: .relaxed)
        metrics.refused = refused.load(ordering: .relaxed)
        metrics.failedCheckpoints = failedCheckpoints.load(ordering: .relaxed)
        return metrics
    }
}
