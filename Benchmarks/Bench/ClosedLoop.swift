import EventLoops
import Glibc
import RPC
import Synchronization

/// What one measured window gave.
struct Window: Sendable {
    /// Calls per second.
    let rate: Double
    /// Processor time in microseconds per call, of this process and of the servers.
    let clientMicroseconds: Double
    let serverMicroseconds: Double
    let p50Microseconds: Double
    let p99Microseconds: Double
    let errors: Int

    /// One line for a program.
    var json: String {
        "{\"value\":\(rate),\"server_cpu_us\":\(serverMicroseconds),\"client_cpu_us\":\(clientMicroseconds),"
            + "\"p50_us\":\(p50Microseconds),\"p99_us\":\(p99Microseconds),\"errors\":\(errors)}"
    }
}

/// Keeps a fixed number of calls outstanding on one loop, and counts what ends within a window.
///
/// Not the closed loop of LoadTest: that one reads the clock five times a call, keeps three histograms and yields to
/// its loop after each call, as a report on a target needs it. Here all of it would be in the microseconds that are
/// compared.
struct ClosedLoop: Sendable {
    let outstanding: Int
    let seconds: Double
    let warmUpSeconds: Double
    /// The processes that answer.
    let servers: [Int32]
    let loop: EventLoop

    /// Runs `call` over and over; the number given is the call's turn.
    func run(_ call: @escaping @Sendable (Int) async throws -> Void) async -> Window {
        let start = MonotonicTime.now + .nanoseconds(Int64(warmUpSeconds * 1e9))
        let end = start + .nanoseconds(Int64(seconds * 1e9))
        let samples = Samples()
        let lanes = Lanes(loop: loop, outstanding: outstanding, start: start, end: end, samples: samples)
        async let cpu = ProcessorTime.used(from: start, to: end, servers: servers)
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<outstanding {
                group.addTask(executorPreference: loop) { await lanes.run(lane, call) }
            }
        }
        return samples.window(seconds: seconds, await cpu)
    }
}

/// Calls one after the other in each lane, as an actor of the loop: like a handler that calls another service.
private actor Lanes: LoopActor {
    nonisolated let loop: EventLoop
    private let outstanding: Int
    private let start: MonotonicTime
    private let end: MonotonicTime
    private let samples: Samples

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, outstanding: Int, start: MonotonicTime, end: MonotonicTime, samples: Samples) {
        self.loop = loop
        self.outstanding = outstanding
        self.start = start
        self.end = end
        self.samples = samples
    }

    func run(_ lane: Int, _ call: @Sendable (Int) async throws -> Void) async {
        var turn = lane
        var began = MonotonicTime.now
        while began < end {
            do {
                try await call(turn)
            } catch {
                samples.addFailure(error)
            }
            let now = MonotonicTime.now
            if began >= start, now <= end { samples.add(now.nanoseconds - began.nanoseconds) }
            began = now
            turn += outstanding
        }
    }
}

/// Collected times. One loop adds them, one task reads them at the end; the lock is never contended.
final class Samples: Sendable {
    private let state = Mutex((nanoseconds: [UInt32](), errors: 0))

    init() { state.withLock { $0.nanoseconds.reserveCapacity(1 << 22) } }

    func add(_ nanoseconds: UInt64) {
        state.withLock { $0.nanoseconds.append(UInt32(clamping: nanoseconds)) }
    }

    /// Counts a failure and reports what the first one was: a window with failures measures nothing.
    func addFailure(_ error: any Error) {
        let count = state.withLock { state in
            state.errors += 1
            return state.errors
        }
        if count == 1 { Main.complain("\(error)") }
    }

    func window(seconds: Double, _ cpu: (client: Double, server: Double)) -> Window {
        state.withLock { state in
            let sorted = state.nanoseconds.sorted()
            let count = Double(max(1, sorted.count))
            func percentile(_ share: Double) -> Double {
                sorted.isEmpty ? 0 : Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1000
            }
            return Window(
                rate: Double(sorted.count) / seconds, clientMicroseconds: cpu.client * 1e6 / count,
                serverMicroseconds: cpu.server * 1e6 / count, p50Microseconds: percentile(0.5),
                p99Microseconds: percentile(0.99), errors: state.errors)
        }
    }
}
