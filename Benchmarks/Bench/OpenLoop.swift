import Contracts
import EventLoops
import RPC
import Wire

/// Calls at a fixed rate, sent every millisecond whatever has become of those before. Of echoes the server may answer
/// one in so many only after 200 ms; these are not counted.
struct OpenLoop: Sendable {
    /// Calls per second.
    let rate: Double
    /// One in so many is answered late; 0: none.
    let late: Int
    let seconds: Double
    let warmUpSeconds: Double
    /// The processes that answer.
    let servers: [Int32]
    let loop: EventLoop

    private static let delay: Duration = .milliseconds(200)
    private static let tick: Duration = .milliseconds(1)
    private static let timeout: Duration = .seconds(5)
    private static let payload = [UInt8](repeating: 0x77, count: 32)

    /// Echoes.
    func run(_ stub: EchoServiceClient) async -> Window {
        await run { number, start, end, samples in
            await echo(stub, isLate: late > 0 && number % late == 0, from: start, to: end, samples)
        }
    }

    /// Other calls, which are numbered.
    func run(_ call: @escaping @Sendable (Int) async throws -> Void) async -> Window {
        await run { number, start, end, samples in
            let sent = MonotonicTime.now
            do {
                try await call(number)
                let answered = MonotonicTime.now
                if sent >= start, answered <= end { samples.add(answered.nanoseconds(since: sent)) }
            } catch {
                samples.addFailure(error)
            }
        }
    }

    private func run(
        _ call: @escaping @Sendable (Int, MonotonicTime, MonotonicTime, Samples) async -> Void
    ) async -> Window {
        let began = MonotonicTime.now
        let start = began + .nanoseconds(Int64(warmUpSeconds * 1e9))
        let end = start + .nanoseconds(Int64(seconds * 1e9))
        let samples = Samples()
        async let cpu = ProcessorTime.used(from: start, to: end, servers: servers)
        await withDiscardingTaskGroup { group in
            var count = 0
            var now = began
            while now < end {
                let due = Int(Double(now.nanoseconds(since: began)) / 1e9 * rate)
                while count < due {
                    count += 1
                    let number = count
                    group.addTask(executorPreference: loop) { await call(number, start, end, samples) }
                }
                do { try await Task.sleep(for: Self.tick) } catch { break }
                now = .now
            }
        }
        return samples.window(seconds: seconds, await cpu)
    }

    /// One call, which counts when all of it lies between the two times.
    private func echo(
        _ stub: EchoServiceClient, isLate: Bool, from start: MonotonicTime, to end: MonotonicTime, _ samples: Samples
    ) async {
        let request = EchoRequest(payload: Self.payload, delay: isLate ? DurationMessage(Self.delay) : nil)
        let sent = MonotonicTime.now
        do {
            let answer = try await stub.echo(request, CallOptions(timeout: Self.timeout))
            let answered = MonotonicTime.now
            if answer.payload != Self.payload { throw WrongAnswer("the echo is not what was sent") }
            if isLate, answered.since(sent) < Self.delay { throw WrongAnswer("a late answer is early") }
            if !isLate, sent >= start, answered <= end { samples.add(answered.nanoseconds(since: sent)) }
        } catch {
            samples.addFailure(error)
        }
    }
}
