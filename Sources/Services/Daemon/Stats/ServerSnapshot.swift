import Budgets
import BaseContracts
import EventLoops
import Wire

/// The counters of a server at one moment.
struct ServerSnapshot: Sendable {
    let time: MonotonicTime
    let uptime: Duration
    let connections: Int
    let callsInFlight: Int
    let receivedBytes: UInt64
    let sentBytes: UInt64
    let usage: ProcessUsage
    /// The durations of each loop's turns.
    let turns: [DurationCounts]
    let methods: [(path: String, method: CallMetrics.Method)]
    /// The memory held for clients; nil before there is a server.
    let memory: MemoryBudget.Usage?

    /// The changes since `earlier`, an older snapshot of the same server; since its start, when that is nil.
    func stats(since earlier: ServerSnapshot?) -> ServerStats {
        let period = earlier.map { time.since($0.time) } ?? uptime
        let seconds = max(period.milliseconds / 1000, 1e-9)
        return ServerStats(
            uptime: DurationMessage(uptime), period: DurationMessage(period),
            connections: UInt32(clamping: connections), callsInFlight: UInt32(clamping: callsInFlight),
            receivedBytes: receivedBytes &- (earlier?.receivedBytes ?? 0),
            sentBytes: sentBytes &- (earlier?.sentBytes ?? 0), residentBytes: usage.residentBytes,
            cpuSeconds: usage.cpuSeconds - (earlier?.usage.cpuSeconds ?? 0),
            loops: turns.indices.map { LoopStats(turns(of: $0, since: earlier), seconds: seconds) },
            methods: methods.indices.compactMap { index in
                let (path, method) = methods[index]
                let calls = earlier.map { method - $0.methods[index].method } ?? method
                return calls.count > 0 ? MethodStats(path, calls, seconds: seconds) : nil
            }, memoryLimitBytes: UInt64(clamping: memory?.limit ?? 0),
            memoryHeldBytes: UInt64(clamping: memory?.held ?? 0),
            memoryRefused: UInt64(clamping: (memory?.refused ?? 0) - (earlier?.memory?.refused ?? 0)))
    }

    private func turns(of loop: Int, since earlier: ServerSnapshot?) -> DurationCounts {
        earlier.map { turns[loop] - $0.turns[loop] } ?? turns[loop]
    }
}

extension LoopStats {
    fileprivate init(_ turns: DurationCounts, seconds: Double) {
        self.init(
            busy: min(1, Double(turns.nanoseconds) / 1e9 / seconds), turns: turns.count,
            lagP50Ms: turns.quantile(0.5) / 1e6, lagP99Ms: turns.quantile(0.99) / 1e6, lagMaxMs: turns.longest / 1e6)
    }
}

extension MethodStats {
    fileprivate init(_ path: String, _ calls: CallMetrics.Method, seconds: Double) {
        self.init(
            method: path, calls: calls.count, errors: calls.errors,
            callsPerSecond: Double(calls.count) / seconds, p50Ms: calls.times.quantile(0.5) / 1e6,
            p90Ms: calls.times.quantile(0.9) / 1e6, p99Ms: calls.times.quantile(0.99) / 1e6,
            maxMs: calls.times.longest / 1e6)
    }
}
