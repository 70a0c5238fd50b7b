import Arguments
import Bytes
import LoadTest

extension LoadOptions {
    /// What the command line may say of a load.
    static let flags = [
        Flag("rate", "N", "calls a second, due whatever becomes of those before; without it each answer starts a call"),
        Flag("concurrency", "N", "calls under way at once; with --rate at most (16; with --rate 1000, over HTTP 64)"),
        Flag("connections", "N", "1 when not given; over HTTP one for each call under way"),
        Flag("http", "URL", "call over HTTP at this address, as http://127.0.0.1:7780, and not --target"),
        Flag("duration", "TIME", "how long is measured; 10s when not given"),
        Flag("warm-up", "TIME", "how long it runs before that; 1s when not given"),
        Flag("uncorrected", "also show latency from when a call was sent, which leaves out what waited before"),
        Flag("find-knee", "seek the highest rate that keeps the goal of --p99; begins with --rate, or 100"),
        Flag("p99", "TIME", "what 99 of 100 calls may take at most, for --find-knee"),
        Flag("max-time", "TIME", "what --find-knee may take in all; 10m when not given"),
        Flag("html", "FILE", "also write a page with plots"),
        Flag("seed", "N", "draws other centres and another order; 1 when not given"),
    ]

    /// What one connection carries at once, a little below what servers allow.
    private static let perConnection = 1000

    init(_ arguments: ParsedArguments) throws(UsageError) {
        let seed: UInt64 = try arguments.count("seed") ?? 1
        let http = try Self.address(arguments)
        let goal = try arguments.duration("p99")
        let wantsKnee = arguments.has("find-knee")
        guard wantsKnee == (goal != nil) else { throw UsageError("--find-knee and --p99 go together") }
        let kneeTime: Duration? = wantsKnee ? try arguments.duration("max-time") ?? .seconds(600) : nil
        let pace = try Self.pace(arguments, wantsKnee: wantsKnee)
        let (connections, outstanding) = try Self.places(arguments, isOpen: pace != .closed, isHTTP: http != nil)
        let plan = LoadPlan(
            pace: pace, outstanding: outstanding, warmUp: try arguments.duration("warm-up") ?? .seconds(1),
            duration: try arguments.duration("duration") ?? .seconds(10), goal: goal)
        guard plan.duration <= .seconds(3600), plan.warmUp <= .seconds(3600) else {
            throw UsageError("--duration and --warm-up are at most 1h")
        }
        self.init(
            plan: plan, connections: connections, seed: seed, showsUncorrected: arguments.has("uncorrected"),
            http: http, page: arguments.text("html"), kneeTime: kneeTime)
    }

    private static func pace(_ arguments: ParsedArguments, wantsKnee: Bool) throws(UsageError) -> LoadPlan.Pace {
        guard let rate = try arguments.number("rate") else { return wantsKnee ? .open(rate: 100) : .closed }
        guard KneeSearch.rates.contains(rate) else {
            throw UsageError("--rate is \(arguments.text("rate") ?? ""), allowed is 0.1 to 1000000 calls a second")
        }
        return .open(rate: rate)
    }

    /// How many connections there are, and how many calls are under way on them.
    private static func places(
        _ arguments: ParsedArguments, isOpen: Bool, isHTTP: Bool
    ) throws(UsageError) -> (connections: Int, outstanding: Int) {
        let given = try count("connections", in: 1...1000, arguments)
        guard !isHTTP else {
            let calls = try count("concurrency", in: 1...(given ?? 1000), arguments) ?? given ?? (isOpen ? 64 : 16)
            return (given ?? calls, calls)
        }
        let connections = given ?? 1
        let most = connections * perConnection
        return (connections, try count("concurrency", in: 1...most, arguments) ?? (isOpen ? most : 16))
    }

    private static func address(_ arguments: ParsedArguments) throws(UsageError) -> String? {
        guard let text = arguments.text("http") else { return nil }
        guard text.begins(with: "http://") || text.begins(with: "https://"), !text.holds("?"), !text.holds("#") else {
            throw UsageError("--http is \(text), allowed is an address such as http://127.0.0.1:7780")
        }
        guard !arguments.has("target") else { throw UsageError("--http and --target don't go together") }
        return String(text.before("/") ?? text[...])
    }

    private static func count(
        _ flag: String, in range: ClosedRange<Int>, _ arguments: ParsedArguments
    ) throws(UsageError) -> Int? {
        guard let text = arguments.text(flag) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let hint = flag == "concurrency" ? "; --connections adds more" : ""
            throw UsageError("--\(flag) is \(text), allowed is \(range.lowerBound) to \(range.upperBound)\(hint)")
        }
        return number
    }
}
