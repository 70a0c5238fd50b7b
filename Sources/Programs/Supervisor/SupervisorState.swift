import EventLoops
import Glibc

/// What is to run, what does, and what to do about it. Knows no process: it takes in what happens, and answers with
/// what to do.
///
///     idle → starting → ready ─┐        all ready once: running; a service that ends then waits and starts again
///              ↑               ↓        before that: an end is the end of all
///              └── waiting ← ended      asked to stop: turn by turn from the last, then by force
package struct SupervisorState: Sendable {
    /// What to do next.
    enum Action: Equatable, Sendable {
        /// Start the service, listening at `address`.
        case start(service: Int, address: String, web: String? = nil, admin: String? = nil)
        case signal(service: Int, Int32)
        case notify(SupervisorEvent)
        /// Everything has ended.
        case finish(Outcome)
    }

    /// How the whole run ended.
    package enum Outcome: Equatable, Sendable {
        /// It was asked to stop.
        case stopped
        /// A service ended before all were ready.
        case failed(service: Int, ProcessEnd)
        /// A service was not ready in time.
        case late(service: Int)
    }

    private enum Phase: Equatable {
        case starting
        case running
        case stopping(since: MonotonicTime, Outcome)
        case finished
    }

    private enum Life: Equatable {
        case idle
        case starting(since: MonotonicTime)
        case ready(since: MonotonicTime)
        case waiting(until: MonotonicTime)
    }

    private struct Service {
        let name: String
        let turn: Int
        var address: String
        var web: String?
        var admin: String?
        var life = Life.idle
        var startTime: MonotonicTime?
        var delay = RestartDelay()
        var processID: Int32 = 0
    }

    /// How long a service may take to become ready. The first start may have datasets to read.
    static let startLimit: Duration = .seconds(180)
    /// How long the last turn gets before the others are asked to stop as well.
    static let turnLimit: Duration = .seconds(10)
    /// How long they all get in total before they are killed.
    static let stopLimit: Duration = .seconds(20)

    private var services: [Service]
    private var phase = Phase.starting
    private var askedToStop: Set<Int> = []
    private var areKilled = false

    init(_ services: [ServiceProcess]) {
        self.services = services.map {
            Service(name: $0.name, turn: $0.turn, address: $0.address, web: $0.web, admin: $0.admin)
        }
    }

    /// The address of each service that has announced one.
    var addresses: [String: String] {
        Dictionary(services.filter { $0.startTime != nil }.map { ($0.name, $0.address) }) { first, _ in first }
    }

    /// When to call `timePassed`; nil when only events are waited for.
    var nextTime: MonotonicTime? {
        if case .stopping(let since, _) = phase {
            let limit = askedToStop.isSuperset(of: running) ? Self.stopLimit : Self.turnLimit
            return areKilled ? nil : since + limit
        }
        return services.compactMap { service in
            switch service.life {
            case .starting(let since): since + Self.startLimit
            case .waiting(let until): until
            case .idle, .ready: nil
            }
        }.min()
    }
}

// MARK: what happens

extension SupervisorState {
    /// Begins with the first turn.
    mutating func begin(_ now: MonotonicTime) -> [Action] { startNextTurn(now) }

    /// A process was started.
    mutating func started(_ index: Int, processID: Int32) { services[index].processID = processID }

    /// A service answers calls at `address`, HTTP at `web`, and administrators at `admin`.
    mutating func ready(
        _ index: Int, address: String, web: String? = nil, admin: String? = nil, _ now: MonotonicTime
    ) -> [Action] {
        guard case .starting = services[index].life else { return [] }
        services[index].life = .ready(since: now)
        services[index].address = address
        services[index].web = web
        services[index].admin = admin
        switch phase {
        case .starting: return startNextTurn(now)
        case .running: return [.notify(.restarted(summary(services[index]), attempt: services[index].delay.attempt))]
        case .stopping, .finished: return []
        }
    }

    /// A process ended, or could not be started.
    mutating func ended(_ index: Int, _ end: ProcessEnd, _ now: MonotonicTime) -> [Action] {
        let startTime = services[index].startTime ?? now
        services[index].life = .idle
        switch phase {
        case .starting: return stop(.failed(service: index, end), now)
        case .running: return [waitToRestart(index, end, life: now.since(startTime), now)]
        case .stopping: return stopNextTurn(now)
        case .finished: return []
        }
    }

    /// A request to stop: gracefully the first time, at once the second.
    mutating func stopRequested(_ now: MonotonicTime) -> [Action] {
        switch phase {
        case .starting, .running: return [.notify(.stopping)] + stop(.stopped, now)
        case .stopping: return kill()
        case .finished: return []
        }
    }

    /// `nextTime` has come.
    mutating func timePassed(_ now: MonotonicTime) -> [Action] {
        switch phase {
        case .starting, .running: return services.indices.flatMap { timePassed($0, now) }
        case .stopping(let since, _):
            if now >= since + Self.stopLimit { return kill() }
            return now >= since + Self.turnLimit ? askToStop(running) : []
        case .finished: return []
        }
    }
}

// MARK: what follows

extension SupervisorState {
    /// All processes that were started and have not ended.
    private var running: Set<Int> {
        Set(
            services.indices.filter { index in
                switch services[index].life {
                case .starting, .ready: true
                case .idle, .waiting: false
                }
            })
    }

    private mutating func startNextTurn(_ now: MonotonicTime) -> [Action] {
        guard running.allSatisfy({ isReady(services[$0].life) }) else { return [] }
        let idle = services.indices.filter { services[$0].life == .idle }
        guard let turn = idle.map({ services[$0].turn }).min() else {
            phase = .running
            return [.notify(.ready(services.map(summary)))]
        }
        return idle.filter { services[$0].turn == turn }.map { start($0, now) }
    }

    private func isReady(_ life: Life) -> Bool {
        if case .ready = life { true } else { false }
    }

    private mutating func start(_ index: Int, _ now: MonotonicTime) -> Action {
        services[index].life = .starting(since: now)
        services[index].startTime = now
        let service = services[index]
        return .start(service: index, address: service.address, web: service.web, admin: service.admin)
    }

    private mutating func waitToRestart(_ index: Int, _ end: ProcessEnd, life: Duration, _ now: MonotonicTime) -> Action
    {
        let delay = services[index].delay.next(life: life)
        services[index].life = .waiting(until: now + delay)
        let service = summary(services[index])
        return .notify(.ended(service, end, delay: delay, attempt: services[index].delay.attempt))
    }

    private mutating func timePassed(_ index: Int, _ now: MonotonicTime) -> [Action] {
        switch services[index].life {
        case .waiting(let until) where now >= until: return [start(index, now)]
        case .starting(let since) where now >= since + Self.startLimit:
            guard phase == .running else { return stop(.late(service: index), now) }
            services[index].life = .starting(since: now)
            return [.signal(service: index, SIGKILL)]
        case .idle, .starting, .ready, .waiting: return []
        }
    }

    private mutating func stop(_ outcome: Outcome, _ now: MonotonicTime) -> [Action] {
        phase = .stopping(since: now, outcome)
        return stopNextTurn(now)
    }

    /// Asks the last turn that still runs to stop; finishes when none does.
    private mutating func stopNextTurn(_ now: MonotonicTime) -> [Action] {
        guard case .stopping(_, let outcome) = phase else { return [] }
        guard let turn = running.map({ services[$0].turn }).max() else {
            phase = .finished
            return [.finish(outcome)]
        }
        return askToStop(running.filter { services[$0].turn == turn })
    }

    private mutating func askToStop(_ indices: Set<Int>) -> [Action] {
        let running = indices.subtracting(askedToStop).sorted()
        askedToStop.formUnion(running)
        return running.map { .signal(service: $0, SIGTERM) }
    }

    private mutating func kill() -> [Action] {
        areKilled = true
        return running.sorted().map { .signal(service: $0, SIGKILL) }
    }

    private func summary(_ service: Service) -> ServiceSummary {
        ServiceSummary(
            name: service.name, address: service.address, web: service.web, admin: service.admin,
            processID: service.processID)
    }
}
