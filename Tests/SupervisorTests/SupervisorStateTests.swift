import EventLoops
import Glibc
import Testing

@testable import Supervisor

@Suite("P39 waymark up: what the supervisor decides")
struct SupervisorStateTests {
    private typealias Action = SupervisorState.Action

    private let origin = MonotonicTime(nanoseconds: 1_000_000_000)

    private func at(_ seconds: Double) -> MonotonicTime { origin + .milliseconds(Int64((seconds * 1000).rounded())) }

    /// Two services of the first turn, and a third that needs both.
    private func fresh() -> SupervisorState {
        SupervisorState(
            [("a", 0), ("b", 0), ("gate", 1)].map { name, turn in
                ServiceProcess(name: name, program: "/\(name)", turn: turn, address: "h:0", logPath: nil) { _ in [] }
            })
    }

    /// All three are ready, from the start on.
    private func running() -> SupervisorState {
        var state = fresh()
        _ = state.begin(origin)
        for index in 0..<3 {
            state.started(index, processID: Int32(100 + index))
            _ = state.ready(index, address: "h:\(index + 1)", origin)
        }
        return state
    }

    private func summary(_ index: Int) -> ServiceSummary {
        ServiceSummary(name: ["a", "b", "gate"][index], address: "h:\(index + 1)", processID: Int32(100 + index))
    }

    @Test("starts a turn when the one before is ready, and says when all are")
    func start() {
        var state = fresh()
        #expect(state.begin(origin) == [.start(service: 0, address: "h:0"), .start(service: 1, address: "h:0")])
        state.started(0, processID: 100)
        state.started(1, processID: 101)
        #expect(state.ready(1, address: "h:2", origin) == [])
        #expect(state.ready(0, address: "h:1", origin) == [.start(service: 2, address: "h:0")])
        #expect(state.addresses["a"] == "h:1")
        #expect(state.addresses["b"] == "h:2")
        state.started(2, processID: 102)
        #expect(state.ready(2, address: "h:3", origin) == [.notify(.ready([summary(0), summary(1), summary(2)]))])
        #expect(state.nextTime == nil)
    }

    @Test("a service that ends starts again at its address, after a delay that doubles up to ten seconds")
    func restarts() {
        var state = running()
        var time = origin
        for (attempt, milliseconds) in [200, 400, 800, 1600, 3200, 6400, 10_000, 10_000].enumerated() {
            let delay = Duration.milliseconds(milliseconds)
            let ended = state.ended(0, .killed(signal: 9), time)
            #expect(ended == [.notify(.ended(summary(0), .killed(signal: 9), delay: delay, attempt: attempt + 1))])
            time = time + delay
            #expect(state.nextTime == time)
            #expect(state.timePassed(time) == [.start(service: 0, address: "h:1")])
            state.started(0, processID: 100)
            #expect(state.ready(0, address: "h:1", time) == [.notify(.restarted(summary(0), attempt: attempt + 1))])
        }
    }

    @Test("a service that starts again keeps its other ports too")
    func ports() {
        var state = fresh()
        _ = state.begin(origin)
        _ = state.ready(0, address: "h:1", web: "h:8", admin: "h:9", origin)
        _ = state.ready(1, address: "h:2", origin)
        _ = state.ready(2, address: "h:3", origin)
        _ = state.ended(0, .killed(signal: 9), at(1))
        #expect(state.timePassed(at(2)) == [.start(service: 0, address: "h:1", web: "h:8", admin: "h:9")])
    }

    @Test("nothing starts before its time")
    func notYet() {
        var state = running()
        _ = state.ended(1, .exited(1), at(5))
        #expect(state.timePassed(at(5.1)) == [])
        #expect(state.timePassed(at(5.2)) == [.start(service: 1, address: "h:2")])
    }

    @Test("who lived for thirty seconds starts with the short delay again")
    func longLife() {
        var delay = RestartDelay()
        #expect(delay.next(life: .zero) == .milliseconds(200))
        #expect(delay.next(life: .seconds(29)) == .milliseconds(400))
        #expect(delay.next(life: .seconds(30)) == .milliseconds(200))
        #expect(delay.attempt == 1)
    }

    @Test("a restart that fails at once counts as well")
    func failedRestart() {
        var state = running()
        _ = state.ended(0, .exited(1), at(1))
        _ = state.timePassed(at(1.2))
        let actions = state.ended(0, .notStarted(reason: "no"), at(1.2))
        guard case .notify(.ended(_, let end, let delay, let attempt)) = actions.first
        else { return #expect(Bool(false), "the end was not told") }
        #expect(end == .notStarted(reason: "no"))
        #expect(delay == .milliseconds(400))
        #expect(attempt == 2)
    }

    @Test("an end before all are ready is the end of all")
    func failedStart() {
        var state = fresh()
        _ = state.begin(origin)
        #expect(state.ended(1, .exited(3), at(1)) == [.signal(service: 0, SIGTERM)])
        #expect(state.ended(0, .exited(0), at(1.1)) == [.finish(.failed(service: 1, .exited(3)))])
    }

    @Test("a first start that takes three minutes is given up")
    func lateStart() {
        var state = fresh()
        _ = state.begin(origin)
        _ = state.ready(0, address: "h:1", at(1))
        #expect(state.nextTime == at(180))
        #expect(state.timePassed(at(180)) == [.signal(service: 0, SIGTERM), .signal(service: 1, SIGTERM)])
        _ = state.ended(0, .exited(0), at(181))
        #expect(state.ended(1, .killed(signal: 15), at(181)) == [.finish(.late(service: 1))])
    }

    @Test("a restart that takes three minutes is killed, and tried again")
    func lateRestart() {
        var state = running()
        _ = state.ended(0, .exited(1), at(100))
        _ = state.timePassed(at(100.2))
        #expect(state.timePassed(at(280.2)) == [.signal(service: 0, SIGKILL)])
        #expect(state.timePassed(at(280.3)) == [])
        guard case .notify(.ended) = state.ended(0, .killed(signal: 9), at(280.3)).first
        else { return #expect(Bool(false), "the end was not told") }
    }

    @Test("stops the last turn first, then the others")
    func stop() {
        var state = running()
        #expect(state.stopRequested(at(1)) == [.notify(.stopping), .signal(service: 2, SIGTERM)])
        #expect(state.ended(2, .exited(0), at(2)) == [.signal(service: 0, SIGTERM), .signal(service: 1, SIGTERM)])
        #expect(state.ended(0, .exited(0), at(3)) == [])
        #expect(state.ended(1, .exited(0), at(3)) == [.finish(.stopped)])
    }

    @Test("after ten seconds tells all to stop, after twenty kills what is left")
    func stubborn() {
        var state = running()
        _ = state.stopRequested(at(1))
        #expect(state.nextTime == at(11))
        #expect(state.timePassed(at(11)) == [.signal(service: 0, SIGTERM), .signal(service: 1, SIGTERM)])
        #expect(state.nextTime == at(21))
        _ = state.ended(0, .exited(0), at(12))
        #expect(state.timePassed(at(21)) == [.signal(service: 1, SIGKILL), .signal(service: 2, SIGKILL)])
        #expect(state.nextTime == nil)
        _ = state.ended(1, .killed(signal: 9), at(21))
        #expect(state.ended(2, .killed(signal: 9), at(21)) == [.finish(.stopped)])
    }

    @Test("a second request kills at once")
    func secondRequest() {
        var state = running()
        _ = state.stopRequested(at(1))
        #expect(
            state.stopRequested(at(1.5)) == [
                .signal(service: 0, SIGKILL), .signal(service: 1, SIGKILL), .signal(service: 2, SIGKILL),
            ])
    }

    @Test("a service that waits for its restart does not start any more")
    func stopWhileWaiting() {
        var state = running()
        _ = state.ended(0, .exited(1), at(1))
        _ = state.stopRequested(at(1.1))
        #expect(state.timePassed(at(1.3)) == [])
        _ = state.ended(2, .exited(0), at(2))
        #expect(state.ended(1, .exited(0), at(2)) == [.finish(.stopped)])
    }

    @Test("stops before anything was ready")
    func stopAtOnce() {
        var state = fresh()
        _ = state.begin(origin)
        #expect(
            state.stopRequested(origin) == [
                .notify(.stopping), .signal(service: 0, SIGTERM), .signal(service: 1, SIGTERM),
            ])
    }
}
