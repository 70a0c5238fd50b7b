import EventLoops
import FoundationEssentials

/// One of the processes that `up` keeps running: its program, its turn, its arguments.
package struct ServiceProcess: Sendable {
    /// "places-service"
    package let name: String
    /// The file of its program.
    let program: String
    /// The services of a turn start when all of the turns before are ready, and stop before those.
    let turn: Int
    /// Where it listens at its first start; afterwards it keeps the address it got.
    let address: String
    /// Where it speaks HTTP at its first start; afterwards it keeps the address it got. Nil when it does not.
    var web: String?
    /// Where it serves its metrics, in the same way; nil to leave the choice to the service.
    var admin: String?
    /// Where its log goes; nil for this process's standard error.
    let logPath: String?
    /// All its arguments except the addresses and the lifeline, given the addresses of the services that are ready.
    let arguments: @Sendable ([String: String]) -> [String]

    /// All its arguments.
    func commandLine(
        listening address: String, _ web: String?, _ admin: String?, _ ready: [String: String]
    ) -> [String] {
        ["--listen", address] + (web.map { ["--http", $0] } ?? []) + (admin.map { ["--admin", $0] } ?? [])
            + arguments(ready) + ["--lifeline", "\(ChildProcess.lifelineNumber)"]
    }
}

/// The one line that a service prints when it is ready for calls.
struct ReadyLine: Decodable, Equatable, Sendable {
    let event: String
    let address: String
    /// Where it speaks HTTP.
    let http: String?
    /// Where it has /livez, /readyz and /metrics.
    let admin: String?

    /// Nil when the line is something else.
    init?(_ line: some Sequence<UInt8>) {
        guard let decoded = try? JSONDecoder().decode(Self.self, from: Data(line)) else { return nil }
        guard decoded.event == "ready" else { return nil }
        self = decoded
    }
}

/// The delay before a service is restarted: doubling while it keeps ending, short again once it has run for long.
struct RestartDelay: Equatable, Sendable {
    static let shortest: Duration = .milliseconds(200)
    static let longest: Duration = .seconds(10)
    /// After a run of this length the delays start over.
    static let longLife: Duration = .seconds(30)

    /// The number of restarts in a row.
    private(set) var attempt = 0

    /// The delay before the next restart of a process that ran for `life`.
    mutating func next(life: Duration) -> Duration {
        if life >= Self.longLife { attempt = 0 }
        attempt += 1
        var delay = Self.shortest
        for _ in 1..<attempt where delay < Self.longest { delay = delay * 2 }
        return min(delay, Self.longest)
    }
}
