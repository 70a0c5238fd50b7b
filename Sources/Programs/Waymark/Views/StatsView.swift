import Bytes
import Terminal
import Wire

/// The load of a server, as lines for a person.
struct StatsView {
    private let stats: ServerStats

    init(_ stats: ServerStats) { self.stats = stats }

    func lines(on sink: TextSink) -> [String] {
        let head = [title, traffic] + stats.loops.indices.map { loop($0) }
        guard !stats.methods.isEmpty else {
            return (head + [StyledLine(), StyledLine("No call has ended in this time.", .faint)]).map {
                $0.text(on: sink)
            }
        }
        return head.map { $0.text(on: sink) } + [""] + table.lines(on: sink)
    }

    /// All in one line, for a log.
    var line: String {
        let calls = stats.methods.reduce(0) { $0 + $1.calls }
        let errors = stats.methods.reduce(0) { $0 + $1.errors }
        let slowest = stats.methods.map(\.p99Ms).max() ?? 0
        return "\(stats.service) \(Quantity.count(calls, "call")), \(Quantity.count(errors)) failed, "
            + "p99 at most \(Self.time(slowest)), \(Quantity.count(stats.callsInFlight)) in flight, "
            + "\(Quantity.count(stats.connections, "connection")), \(Quantity.bytes(stats.residentBytes)), "
            + "loops at most \(Self.percent(stats.loops.map(\.busy).max() ?? 0)) busy"
    }

    private var seconds: Double { max(1e-9, (stats.period?.duration ?? .zero) / .seconds(1)) }

    private var title: StyledLine {
        let look: (word: String, style: Style) =
            switch stats.status {
            case .serving: ("serving", .green)
            case .notServing: ("not serving", .red)
            default: ("", .plain)
            }
        return StyledLine("\(stats.service) \(stats.version)", .bold).adding("  ").adding(look.word, look.style)
            .adding("  up \(Quantity.duration(stats.uptime?.duration ?? .zero))")
            .adding("  memory \(Quantity.bytes(stats.residentBytes))")
            .adding(held)
            .adding("  processor \(Self.percent(stats.cpuSeconds / seconds))")
    }

    /// How much memory clients make it hold, and how much they may; empty when the server does not say.
    private var held: String {
        guard stats.memoryLimitBytes > 0 else { return "" }
        let refused = stats.memoryRefused > 0 ? ", refused \(Quantity.count(stats.memoryRefused))×" : ""
        return "  clients hold \(Quantity.bytes(stats.memoryHeldBytes)) of "
            + "\(Quantity.bytes(stats.memoryLimitBytes))\(refused)"
    }

    private var traffic: StyledLine {
        StyledLine(
            "  \(Quantity.count(stats.connections, "connection"))  \(Quantity.count(stats.callsInFlight)) in flight  "
                + "in \(rate(stats.receivedBytes))  out \(rate(stats.sentBytes))")
    }

    private func loop(_ index: Int) -> StyledLine {
        let loop = stats.loops[index]
        return StyledLine(
            "  loop \(index)  \(Self.percent(loop.busy)) busy  lag p50 \(Self.time(loop.lagP50Ms))  "
                + "p99 \(Self.time(loop.lagP99Ms))  max \(Self.time(loop.lagMaxMs))")
    }

    private var table: Table {
        var table = Table(
            columns: [.init(title: "METHOD", minimum: 16, style: .bold)]
                + ["CALLS/S", "CALLS", "ERRORS", "P50", "P90", "P99", "MAX"].map {
                    .init(title: $0, isRight: true, minimum: 3)
                })
        table.rows = stats.methods.sorted { $0.calls > $1.calls }.map { method in
            [
                .init(method.method.split(at: ".").last.map(String.init) ?? method.method),
                .init(Quantity.fixed(method.callsPerSecond, method.callsPerSecond < 100 ? 1 : 0)),
                .init(Quantity.count(method.calls)),
                .init(method.errors == 0 ? "" : Quantity.count(method.errors), .yellow),
                .init(Self.time(method.p50Ms)), .init(Self.time(method.p90Ms)), .init(Self.time(method.p99Ms)),
                .init(Self.time(method.maxMs)),
            ]
        }
        return table
    }

    private func rate(_ bytes: UInt64) -> String {
        "\(Quantity.bytes(UInt64(exactly: (Double(bytes) / seconds).rounded()) ?? bytes))/s"
    }

    private static func percent(_ fraction: Double) -> String { "\(Quantity.fixed(fraction * 100, 0)) %" }

    /// Below a millisecond in microseconds: most calls take less.
    private static func time(_ milliseconds: Double) -> String {
        guard milliseconds.isFinite, milliseconds < 1 else {
            return Quantity.duration(.milliseconds(milliseconds.isFinite ? milliseconds : 0))
        }
        return "\(Quantity.fixed(milliseconds * 1000, milliseconds < 0.01 ? 1 : 0)) µs"
    }
}
