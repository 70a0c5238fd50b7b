import EventLoops

/// What the command line says of a load.
struct LoadOptions: Sendable {
    let plan: LoadPlan
    let connections: Int
    let seed: UInt64
    let showsUncorrected: Bool
    /// Where the page goes; nil for nowhere.
    let page: String?
    /// What a search for the knee may take; nil when none is wanted.
    let kneeTime: Duration?

    static let flags = [
        Flag("rate", "N", "calls a second, due whatever becomes of those before; without it each answer starts a call"),
        Flag("concurrency", "N", "calls under way at once; with --rate at most (16; with --rate 1000 a connection)"),
        Flag("connections", "N", "1 when not given"),
        Flag("duration", "TIME", "how long is measured; 10s when not given"),
        Flag("warm-up", "TIME", "how long it runs before that; 1s when not given"),
        Flag("uncorrected", "also show latency from when a call was sent, which leaves out what waited before"),
        Flag("find-knee", "seek the highest rate that keeps the goal of --p99"),
        Flag("p99", "TIME", "what 99 of 100 calls may take at most, for --find-knee"),
        Flag("max-time", "TIME", "what --find-knee may take in all; 10m when not given"),
        Flag("html", "FILE", "also write a page with plots"),
        Flag("seed", "N", "draws other centres and another order; 1 when not given"),
    ]

    /// What one connection carries at once, a little below what servers allow.
    private static let perConnection = 1000

    init(_ arguments: ParsedArguments) throws(UsageError) {
        connections = try Self.count("connections", in: 1...1000, arguments) ?? 1
        seed = try arguments.count("seed") ?? 1
        showsUncorrected = arguments.has("uncorrected")
        page = arguments.text("html")
        let goal = try arguments.duration("p99")
        let wantsKnee = arguments.has("find-knee")
        guard wantsKnee == (goal != nil) else { throw UsageError("--find-knee and --p99 go together") }
        kneeTime = wantsKnee ? try arguments.duration("max-time") ?? .seconds(600) : nil
        plan = LoadPlan(
            pace: try Self.pace(arguments, wantsKnee: wantsKnee),
            outstanding: try Self.outstanding(connections, arguments, wantsKnee: wantsKnee),
            warmUp: try arguments.duration("warm-up") ?? .seconds(1),
            duration: try arguments.duration("duration") ?? .seconds(10), goal: goal)
        guard plan.duration <= .seconds(3600), plan.warmUp <= .seconds(3600) else {
            throw UsageError("--duration and --warm-up are at most 1h")
        }
    }

    private static func pace(_ arguments: ParsedArguments, wantsKnee: Bool) throws(UsageError) -> LoadPlan.Pace {
        guard let rate = try arguments.number("rate") else { return wantsKnee ? .open(rate: 100) : .closed }
        guard KneeSearch.rates.contains(rate) else {
            throw UsageError("--rate is \(arguments.text("rate") ?? ""), allowed is 0.1 to 1000000 calls a second")
        }
        return .open(rate: rate)
    }

    private static func outstanding(
        _ connections: Int, _ arguments: ParsedArguments, wantsKnee: Bool
    ) throws(UsageError) -> Int {
        let most = connections * perConnection
        let usual = wantsKnee || arguments.has("rate") ? most : 16
        return try count("concurrency", in: 1...most, arguments) ?? usual
    }

    private static func count(
        _ flag: String, in range: ClosedRange<Int>, _ arguments: ParsedArguments
    ) throws(UsageError) -> Int? {
        guard let text = arguments.text(flag) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let hint = flag == "concurrency" ? "; \(perConnection) a connection, --connections adds some" : ""
            throw UsageError("--\(flag) is \(text), allowed is \(range.lowerBound) to \(range.upperBound)\(hint)")
        }
        return number
    }
}
