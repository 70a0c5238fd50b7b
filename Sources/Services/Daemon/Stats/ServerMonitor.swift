import Budgets
package import EventLoops
package import RPC
import Synchronization

/// Collects everything that a server counts about itself.
package final class ServerMonitor: Sendable {
    /// Name of the program.
    let service: String
    let loops: EventLoopGroup
    let health: ServingHealth
    private let start = MonotonicTime.now
    private let running = Mutex<Running?>(nil)

    private struct Running {
        let server: Server
        let calls: CallMetrics
    }

    package init(service: String, loops: EventLoopGroup, health: ServingHealth) {
        self.service = service
        self.loops = loops
        self.health = health
    }

    /// Sets the server. It comes later, because it needs its methods first, and one of them reports this monitor's
    /// counts.
    package func watch(_ server: Server, _ calls: CallMetrics) {
        running.withLock { $0 = Running(server: server, calls: calls) }
    }

    /// The counts up to now.
    var snapshot: ServerSnapshot {
        let running = running.withLock { $0 }
        let now = MonotonicTime.now
        return ServerSnapshot(
            time: now, uptime: now.since(start), connections: running?.server.connectionCount ?? 0,
            callsInFlight: running?.server.callsInFlight ?? 0,
            receivedBytes: loops.loops.reduce(0) { $0 &+ $1.counters.receivedBytes },
            sentBytes: loops.loops.reduce(0) { $0 &+ $1.counters.sentBytes }, usage: .now,
            turns: loops.loops.map(\.counters.turns), methods: running?.calls.snapshot ?? [],
            memory: running?.server.memory.usage)
    }

    /// The server metrics for `/metrics`.
    package var families: [MetricFamily] {
        let running = running.withLock { $0 }
        let calls = (running?.calls.families ?? []) + (running.map { Self.limits($0.server.router) } ?? [])
        let snapshot = snapshot
        return identity(snapshot) + calls + Self.server(snapshot) + Self.loops(snapshot) + snapshot.usage.families
    }

    private func identity(_ snapshot: ServerSnapshot) -> [MetricFamily] {
        let labels: KeyValuePairs = ["service": service, "version": ServiceProgram.version]
        return [
            MetricFamily(
                "waymark_info", .gauge, "Which program this is.", [MetricSample(labels, .count(1))]),
            MetricFamily(
                "waymark_ready", .gauge, "Whether the server answers calls: 0 while it starts and stops.",
                .count(health.isServing ? 1 : 0)),
            MetricFamily(
                "waymark_uptime_seconds", .gauge, "How long the process has been running.",
                .number(snapshot.uptime.milliseconds / 1000)),
        ]
    }

    /// How many calls of each unary method run, wait and may run.
    private static func limits(_ router: Router) -> [MetricFamily] {
        let limited = router.methods.compactMap { method in router.limiter(method.path).map { (method.path, $0) } }
        func gauge(_ name: String, _ help: String, _ value: (MethodLimiter) -> Int) -> MetricFamily {
            let samples = limited.map { MetricSample(["method": $0.0], .count(UInt64(clamping: value($0.1)))) }
            return MetricFamily("waymark_rpc_server_method_\(name)", .gauge, help, samples)
        }
        return [
            gauge("calls_running", "Calls of a unary method that run.", \.callsRunning),
            gauge("calls_waiting", "Calls of a unary method that wait for others to end.", \.callsWaiting),
            gauge("call_limit", "How many calls of a unary method may run at once; learned.", \.currentLimit),
        ]
    }

    private static func server(_ snapshot: ServerSnapshot) -> [MetricFamily] {
        [
            MetricFamily(
                "waymark_rpc_server_connections", .gauge, "Connections of clients that are open.",
                .count(UInt64(clamping: snapshot.connections))),
            MetricFamily(
                "waymark_rpc_server_calls_in_flight", .gauge, "Calls that are worked on.",
                .count(UInt64(clamping: snapshot.callsInFlight))),
            MetricFamily(
                "waymark_rpc_received_bytes_total", .counter, "Bytes of frames received, as a server and as a client.",
                .count(snapshot.receivedBytes)),
            MetricFamily(
                "waymark_rpc_sent_bytes_total", .counter, "Bytes of frames sent, as a server and as a client.",
                .count(snapshot.sentBytes)),
        ]
    }

    private static func loops(_ snapshot: ServerSnapshot) -> [MetricFamily] {
        [
            MetricFamily(
                "waymark_loop_turn_duration_seconds", .histogram,
                "How long the turns of an event loop took: what becomes ready meanwhile has to wait.",
                snapshot.turns.enumerated().map { MetricSample(["loop": "\($0.offset)"], .durations($0.element)) })
        ]
    }
}
