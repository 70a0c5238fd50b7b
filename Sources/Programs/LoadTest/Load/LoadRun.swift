package import EventLoops
import RPC

/// Makes the calls of a plan and measures them. Stays on the loop that makes them.
///
/// In an open loop every call has a time at which it is due, and is measured from then, so that a stall of the target
/// shows in all the calls that fell due meanwhile, even in those that could not be sent (no coordinated omission).
package actor LoadRun {
    /// Makes the call with this number.
    package typealias Work = @Sendable (_ turn: Int) async -> CallOutcome

    private let loop: EventLoop
    private let plan: LoadPlan
    private let clock: any LoadClock
    private let work: Work
    private let progress: @Sendable (LoadProgress) -> Void
    private var window: LoadWindow
    private var tally: LoadTally
    private var underWay = 0
    private var placeWaiter: Waiter<Void>?
    /// When a call last had to wait for another one to end.
    private var placeTime = MonotonicTime(nanoseconds: 0)
    /// Calls that took longer than the goal, failed or lack a branch, and how many it takes to miss it.
    private var overGoal = 0.0
    private let maximumOverGoal: Double
    private var processorAtStart: ThreadTime?
    private var isOver = false
    private var nextProgress: MonotonicTime

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private static let progressPause: Duration = .milliseconds(100)

    package init(
        _ plan: LoadPlan, on loop: EventLoop, clock: any LoadClock,
        progress: @escaping @Sendable (LoadProgress) -> Void = { _ in }, _ work: @escaping Work
    ) {
        self.plan = plan
        self.loop = loop
        self.clock = clock
        self.work = work
        self.progress = progress
        window = LoadWindow(plan, from: clock.now)
        tally = LoadTally(slices: TimeSlices(window))
        nextProgress = window.start
        maximumOverGoal = (plan.rate ?? 0) * (plan.duration / .seconds(1)) / 100
    }

    /// Runs to the end, or until the task is cancelled; returns the measurements.
    package func run() async -> LoadTally {
        // Without it parts of this run elsewhere and come back late, which would be measured.
        await withTaskExecutorPreference(loop) {
            switch self.plan.pace {
            case .open(let rate): await self.sendAtRate(rate)
            case .closed: await self.sendInTurn()
            }
        }
        return tally
    }
}

// MARK: the two paces

extension LoadRun {
    private func sendAtRate(_ rate: Double) async {
        func due(_ turn: Int) -> MonotonicTime {
            window.start.advanced(byNanoseconds: UInt64(Double(turn) * 1e9 / rate))
        }
        await withDiscardingTaskGroup { group in
            var turn = 0
            while let ready = await self.readyTime(due: due(turn)) {
                let (number, due) = (turn, due(turn))
                underWay += 1
                group.addTask(executorPreference: loop) { await self.make(number, due: due, ready: ready) }
                turn += 1
            }
            stopMeasuring()
            while due(turn) < window.end {
                if window.counts(due(turn)) { tally.addUnsent(due: due(turn), end: window.end) }
                turn += 1
            }
        }
    }

    /// Waits until a call is due and may be in flight; returns the time from which only this program delays it. Nil
    /// when no more calls are to be sent.
    private func readyTime(due: MonotonicTime) async -> MonotonicTime? {
        guard !missesGoal else { return nil }
        let time = min(due, window.end)
        while clock.now < time, !Task.isCancelled { await clock.wait(until: time) }
        guard due < window.end else { return nil }
        if underWay >= plan.outstanding {
            guard clock.now < window.end else { return nil }
            await Waiter.suspend { waiter in self.placeWaiter = waiter }
            placeTime = clock.now
            guard placeTime < window.end else { return nil }
        }
        showProgress()
        guard !Task.isCancelled else { return nil }
        if due >= window.measured { startMeasuring() }
        return max(due, placeTime)
    }

    private func sendInTurn() async {
        await withDiscardingTaskGroup { group in
            for first in 0..<plan.outstanding {
                group.addTask(executorPreference: loop) { await self.repeatCalls(from: first) }
            }
        }
    }

    private func repeatCalls(from first: Int) async {
        var turn = first
        while clock.now < window.end, !Task.isCancelled {
            let now = clock.now
            if now >= window.measured { startMeasuring() }
            underWay += 1
            await make(turn, due: now, ready: now)
            turn += plan.outstanding
            // Calls that fail at once must not keep the loop from its sockets.
            await Task.yield()
        }
        stopMeasuring()
    }
}

// MARK: one call

extension LoadRun {
    private func make(_ turn: Int, due: MonotonicTime, ready: MonotonicTime) async {
        let sent = clock.now
        let outcome = await work(turn)
        let end = clock.now
        underWay -= 1
        placeWaiter?.resume()
        placeWaiter = nil
        count(outcome, due: due, ready: ready, sent: sent, end: end)
        showProgress()
    }

    private func count(
        _ outcome: CallOutcome, due: MonotonicTime, ready: MonotonicTime, sent: MonotonicTime, end: MonotonicTime
    ) {
        if case .answered = outcome, end >= window.measured, end <= window.end { tally.answeredInTime() }
        guard window.counts(due) else { return }
        if plan.rate != nil { tally.add(lag: sent.nanoseconds(since: ready)) }
        if case .failed(.cancelled, _) = outcome, Task.isCancelled {
            return tally.addCutOff(due: due, sent: sent, end: end)
        }
        tally.add(outcome, due: due, sent: sent, end: end)
        guard let goal = plan.goal else { return }
        if case .failed = outcome { return overGoal += 1 }
        if outcome.isIncomplete || end.since(due) > goal { overGoal += 1 }
    }

    private var missesGoal: Bool { plan.goal != nil && overGoal > maximumOverGoal }
}

// MARK: beginning, end, and what is shown meanwhile

extension LoadRun {
    private func startMeasuring() {
        if processorAtStart == nil { processorAtStart = clock.processor }
    }

    /// Calls that are due from here on are not sent.
    private func stopMeasuring() {
        guard !isOver else { return }
        isOver = true
        window.end = max(window.measured, min(window.end, clock.now))
        tally.length = window.length
        if let processorAtStart { tally.processor = clock.processor - processorAtStart }
    }

    private func showProgress() {
        let now = clock.now
        guard now >= nextProgress else { return }
        nextProgress = now + Self.progressPause
        let whole = window.end.since(window.start)
        progress(
            LoadProgress(
                fraction: now.since(window.start) / whole, isWarmingUp: now < window.measured,
                answered: tally.answered, failed: tally.failed, p99: tally.latency.percentile(0.99)))
    }
}
