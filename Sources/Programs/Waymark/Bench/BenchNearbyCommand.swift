import Arguments
import Contracts
import EventLoops
import LoadTest
import RPC

/// `waymark bench nearby`: a load of radius searches.
struct BenchNearbyCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["bench", "nearby"], summary: "load test of the radius search",
        flags: LoadOptions.flags + [
            .searchRadius,
            .limit("how many places each asks for", NearbyRequest.limitRange, default: NearbyRequest.limitDefault),
            Flag("category", "PATH", "only this category and what is below it", isRepeatable: true),
            Flag("dataset", "NAME", "search only this dataset, and draw centres from it", isRepeatable: true),
            Flag("verify", "N", "check 1 of N answers, 500 at most, against brute force over the places in --data"),
            Flag(
                "data", "DIR",
                "for --verify: the data folder of the places-service that answers; no call gives all places"),
            CentreSource.flag,
        ] + Flag.client,
        examples: [
            "bench nearby --rate 2000 --duration 30s", "bench nearby --concurrency 64 --html report.html",
            "bench nearby --find-knee --p99 20ms", "bench nearby --http http://127.0.0.1:7780 --rate 400",
            "bench nearby --verify 100 --data ~/.local/share/waymark/places",
        ])

    private let options: ClientOptions
    private let load: LoadOptions
    private let nearby: NearbyLoad
    private let centres: CentreSource
    private let verified: (interval: Int, folder: String)?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        load = try LoadOptions(arguments)
        centres = CentreSource(arguments, seed: load.seed)
        verified = try Self.verified(arguments)
        let common = NearbyRequest(
            radiusM: try arguments.metres("radius"), limit: try arguments.count("limit"),
            networks: verified == nil ? [] : ["catalog"], datasets: arguments.all("dataset"),
            categories: arguments.all("category"))
        nearby = NearbyLoad(common: common, seed: load.seed)
    }

    private static func verified(_ arguments: ParsedArguments) throws(UsageError) -> (interval: Int, folder: String)? {
        switch (try arguments.count("verify", as: UInt32.self), arguments.text("data")) {
        case (nil, nil): return nil
        case (.some(0), _): throw UsageError("--verify is 0, allowed is a whole number from 1")
        case (.some(let interval), .some(let folder)) where !arguments.has("category"): return (Int(interval), folder)
        case (.some, .some): throw UsageError("--verify does not know categories; leave --category out")
        default: throw UsageError("--verify and --data go together: the answers, and the places to compare with")
        }
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await LoadBench(client: options, load: load, sampled: verified?.interval).run(session) {
            transport, blocking in
            let (all, source) = try await centres.centres(transport, blocking)
            return nearby.workload(nearby.requests(all), from: source)
        } check: { [verified, datasets = nearby.common.datasets] workload, samples, _, blocking in
            guard let verified else { return nil }
            return try await blocking.run {
                let places = try StoredPlaces(folder: verified.folder, only: datasets)
                return try AnswerChecker(places).check(samples, of: workload)
            }
        }
    }
}
