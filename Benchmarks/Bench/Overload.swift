import Contracts
import EventLoops
import RPC
import Synchronization
import Wire

/// A server that can do 800 calls a second, asked for more: how many it still answers, and how soon.
///
/// Each call takes 5 ms and four run at once. Calls come at a fixed rate, whatever becomes of those before (open loop),
/// and are measured from when they should have come.
struct Overload: Sendable {
    /// What became of the calls of one stage.
    struct Stage: Sendable {
        let name: String
        let offered: Double
        let goodput: Double
        let p50Milliseconds: Double
        let p99Milliseconds: Double
        let refused: Int
        let late: Int
        let failed: Int
        let limit: Int

        static let header = row(
            "stage", ["asked /s", "done /s", "p50 ms", "p99 ms", "refused", "late", "failed", "limit"])

        /// A line of a table.
        var row: String {
            let times = [p50Milliseconds, p99Milliseconds].map { "\(($0 * 10).rounded() / 10)" }
            let counts = [refused, late, failed, limit].map { "\($0)" }
            return Self.row(name, ["\(Int(offered))", "\(Int(goodput))"] + times + counts)
        }

        private static func row(_ name: String, _ cells: [String]) -> String {
            ([name + String(repeating: " ", count: max(0, 6 - name.count))]
                + cells.map { cell in
                    String(repeating: " ", count: max(0, 9 - cell.count)) + cell
                }).joined(separator: " ")
        }

        var json: String {
            "{\"stage\":\"\(name)\",\"offered\":\(offered),\"goodput\":\(goodput),\"p50_ms\":\(p50Milliseconds),"
                + "\"p99_ms\":\(p99Milliseconds),\"refused\":\(refused),\"late\":\(late),\"failed\":\(failed),"
                + "\"limit\":\(limit)}"
        }
    }

    static let slots = 4
    static let service: Duration = .milliseconds(5)
    private static let timeout: Duration = .seconds(1)

    let seconds: Double

    /// Runs the stages one after another and gives each to `report`.
    func run(_ report: (Stage) -> Void) async throws {
        let serving = try EventLoopGroup(count: 1)
        let calling = try EventLoopGroup(count: 1)
        let router = Router([Slow()])
        let server = Server(router, group: serving, agent: "overload")
        let any = try Endpoint(host: "127.0.0.1", port: 0).resolve()
        let address = try await server.listen(on: any[0])
        let client = RPCClient(
            Endpoint(host: "127.0.0.1", port: address.port), group: calling, resolver: BlockingPool(threadCount: 1),
            agent: "waymark-bench")
        let knee = Double(Self.slots) / 0.005
        let limiter = router.limiter(EchoServiceMethods.echo.path)
        for (name, factor) in [("half", 0.5), ("knee", 1), ("2x", 2), ("10x", 10), ("after", 0.5)] {
            report(await stage(name, knee * factor, client, calling.loops[0], limiter))
        }
        await client.close()
        await server.shutDown(grace: .seconds(1))
    }

    private func stage(
        _ name: String, _ rate: Double, _ client: RPCClient, _ loop: EventLoop, _ limiter: MethodLimiter?
    ) async -> Stage {
        let outcomes = Outcomes()
        let start = MonotonicTime.now
        await withDiscardingTaskGroup { group in
            var sent = 0.0
            while true {
                let elapsed = Double(MonotonicTime.now.nanoseconds(since: start)) / 1e9
                if elapsed >= seconds { break }
                while sent < elapsed * rate {
                    let intended = start + .seconds(sent / rate)
                    group.addTask(executorPreference: loop) { await call(client, intended, outcomes) }
                    sent += 1
                }
                do { try await Task.sleep(for: .milliseconds(1)) } catch { break }
            }
        }
        let limit = limiter?.currentLimit ?? 0
        return outcomes.tally.withLock { $0.stage(name, offered: rate, seconds: seconds, limit: limit) }
    }

    private func call(_ client: RPCClient, _ intended: MonotonicTime, _ outcomes: Outcomes) async {
        do {
            var options = CallOptions(timeout: Self.timeout)
            options.deadline = intended + Self.timeout
            _ = try await EchoServiceClient(client).echo(EchoRequest(), options)
            let time = MonotonicTime.now.since(intended)
            outcomes.tally.withLock { $0.times.append(time) }
        } catch let error as RPCError {
            outcomes.tally.withLock { $0.count(error.code) }
        } catch {
            outcomes.tally.withLock { $0.failed += 1 }
        }
    }

    private final class Outcomes: Sendable {
        let tally = Mutex(Tally())
    }

    private struct Tally: Sendable {
        var times: [Duration] = []
        var refused = 0
        var late = 0
        var failed = 0

        mutating func count(_ code: RPCCode) {
            switch code {
            case .resourceExhausted: refused += 1
            case .deadlineExceeded: late += 1
            default: failed += 1
            }
        }

        func stage(_ name: String, offered: Double, seconds: Double, limit: Int) -> Stage {
            let sorted = times.sorted()
            func percentile(_ share: Double) -> Double {
                guard !sorted.isEmpty else { return 0 }
                return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] / .milliseconds(1)
            }
            return Stage(
                name: name, offered: offered, goodput: Double(sorted.count) / seconds,
                p50Milliseconds: percentile(0.5), p99Milliseconds: percentile(0.99), refused: refused, late: late,
                failed: failed, limit: limit)
        }
    }

    /// So many calls at once, each for its time; more wait.
    private actor Slots {
        private var free = Overload.slots
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func use() async throws {
            if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
            defer { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
            try await Task.sleep(for: Overload.service)
        }
    }

    private struct Slow: EchoServiceHandler {
        private let slots = Slots()

        func echo(_ request: EchoRequest, _ context: CallContext) async throws -> EchoResponse {
            try await slots.use()
            return EchoResponse(payload: request.payload)
        }

        func echoStream(
            _ request: EchoStreamRequest, _ responses: ResponseWriter<EchoStreamResponse>, _ context: CallContext
        ) async throws {}

        func echoJoined(
            _ requests: RequestStream<EchoJoinedRequest>, _ context: CallContext
        ) async throws -> EchoJoinedResponse { EchoJoinedResponse() }

        func echoEach(
            _ requests: RequestStream<EchoEachRequest>, _ responses: ResponseWriter<EchoEachResponse>,
            _ context: CallContext
        ) async throws {}
    }
}
