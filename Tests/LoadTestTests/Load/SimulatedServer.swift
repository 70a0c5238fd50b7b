import EventLoops

@testable import LoadTest

/// One worker that takes a certain time for each call, first come, first served, and may stand still once.
actor SimulatedServer {
    private let loop: EventLoop
    private let clock: VirtualClock
    private let serviceTime: Duration
    private let stall: (from: MonotonicTime, to: MonotonicTime)?
    private var free: MonotonicTime
    private(set) var calls = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// `stall` begins so long after now.
    init(_ serviceTime: Duration, clock: VirtualClock, stall: (after: Duration, length: Duration)? = nil) {
        loop = clock.loop
        self.clock = clock
        self.serviceTime = serviceTime
        free = clock.now
        self.stall = stall.map { (clock.now + $0.after, clock.now + $0.after + $0.length) }
    }

    func call() async -> CallOutcome {
        calls += 1
        free = max(free, clock.now) + serviceTime
        if let stall, free > stall.from, free < stall.to { free = stall.to + serviceTime }
        await clock.wait(until: free)
        return .answered(things: nil)
    }
}

/// A loop with a virtual clock, for as long as a test runs.
struct Simulation: Sendable {
    let loop: EventLoop
    let clock: VirtualClock

    static func with<R>(_ body: (Simulation) async throws -> R) async throws -> R {
        let group = try EventLoopGroup(count: 1)
        defer { group.shutDown() }
        return try await body(Simulation(loop: group.loops[0], clock: VirtualClock(on: group.loops[0])))
    }

    func run(_ plan: LoadPlan, on server: SimulatedServer) async -> LoadTally {
        await LoadRun(plan, on: loop, clock: clock) { _ in await server.call() }.run()
    }
}

extension LatencyHistogram {
    func time(_ share: Double) -> Duration { .nanoseconds(Int64(percentile(share))) }
}
