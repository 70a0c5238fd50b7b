import Arguments
import Contracts
import EventLoops
import LoadTest
import RPC
import Wire

/// `waymark bench explore`: a load of searches of all services at once.
struct BenchExploreCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["bench", "explore"], summary: "load test of explore, with the latency of each branch",
        flags: LoadOptions.flags + ExploreFlags.all(limit: ExploreRequest.limitDefault) + [
            Flag("dataset", "NAME", "draw centres only from this dataset", isRepeatable: true),
            Flag("verify", "N", "check 1 of N answers, 500 at most, against what the services answer one by one"),
            CentreSource.flag,
        ] + Flag.client,
        examples: [
            "bench explore --rate 500 --duration 30s", "bench explore --find-knee --p99 50ms",
            "bench explore --rate 200 --budget 100 --verify 100", "bench explore --branch pins --branch photos --json",
        ])

    private let options: ClientOptions
    private let load: LoadOptions
    private let explore: ExploreLoad
    private let centres: CentreSource
    private let interval: Int?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        load = try LoadOptions(arguments)
        centres = CentreSource(arguments, seed: load.seed)
        interval = try arguments.count("verify", as: UInt32.self).map { Int($0) }
        guard interval != 0 else { throw UsageError("--verify is 0, allowed is a whole number from 1") }
        explore = ExploreLoad(common: try ExploreFlags.request(arguments), seed: load.seed)
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await LoadBench(client: options, load: load, sampled: interval).run(session) { transport, blocking in
            let (all, source) = try await centres.centres(transport, blocking)
            return explore.workload(all, from: source)
        } check: { [interval] workload, samples, transport, _ in
            guard interval != nil else { return nil }
            return try await ExploreChecker(transport).check(samples, of: workload)
        }
    }
}
