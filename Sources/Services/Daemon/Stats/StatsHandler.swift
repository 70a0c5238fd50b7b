import BaseContracts
import EventLoops
package import RPC
package import Wire

/// Reports this server's statistics.
package struct StatsHandler: StatsServiceHandler {
    private let monitor: ServerMonitor

    package init(_ monitor: ServerMonitor) { self.monitor = monitor }

    package func getStats(_ request: GetStatsRequest, _ context: CallContext) async throws -> GetStatsResponse {
        GetStatsResponse(stats: stats(monitor.snapshot, since: nil))
    }

    package func watchStats(
        _ request: WatchStatsRequest, _ responses: ResponseWriter<WatchStatsResponse>, _ context: CallContext
    ) async throws {
        let interval = request.interval?.duration ?? WatchStatsRequest.intervalDefault
        var last: ServerSnapshot?
        var goesOn = true
        while true {
            let now = monitor.snapshot
            try await responses.write(WatchStatsResponse(stats: stats(now, since: last)))
            guard goesOn else { return }
            last = now
            goesOn = try await monitor.health.goesOn(after: interval)
        }
    }

    private func stats(_ now: ServerSnapshot, since last: ServerSnapshot?) -> ServerStats {
        var stats = now.stats(since: last)
        stats.service = monitor.service
        stats.version = ServiceProgram.version
        stats.status = monitor.health.status
        return stats
    }
}

extension ServingHealth {
    /// Waits for `interval`, but no longer than until the process stops: then the result is false.
    fileprivate func goesOn(after interval: Duration) async throws -> Bool {
        let end: Void? = try await withTimeLimit(interval) { try await self.waitForStop() }
        return end == nil
    }
}
