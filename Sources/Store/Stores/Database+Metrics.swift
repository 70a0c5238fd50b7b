package import Daemon
package import Storage

extension Database {
    /// The database metrics for `/metrics`.
    package var families: [MetricFamily] {
        let metrics = metrics
        func counter(_ name: String, _ help: String, _ count: Int) -> MetricFamily {
            MetricFamily("waymark_storage_\(name)_total", .counter, help, .count(UInt64(clamping: count)))
        }
        return [
            counter("commits", "Groups of writing transactions made durable.", metrics.commits),
            counter("writes", "Writing transactions that were acknowledged.", metrics.writes),
            counter("reads", "Reading transactions that were answered.", metrics.reads),
            counter(
                "round_trips", "Waits for an answer of the PostgreSQL server; what is sent together counts once.",
                metrics.roundTrips),
            counter("refused", "Transactions that were refused because too many waited.", metrics.refused),
            counter(
                "failed_checkpoints", "Copies of the log into the database file that failed.",
                metrics.failedCheckpoints),
            MetricFamily(
                "waymark_storage_waiting", .gauge, "Transactions that wait.",
                [
                    MetricSample(["kind": "write"], .count(UInt64(clamping: metrics.waitingWrites))),
                    MetricSample(["kind": "read"], .count(UInt64(clamping: metrics.waitingReads))),
                ]),
        ]
    }
}
