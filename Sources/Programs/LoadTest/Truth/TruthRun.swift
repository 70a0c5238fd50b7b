package import GatewayContracts
package import EventLoops
package import RPC
import Terminal

/// Asks a places service every question of a truth.
package struct TruthRun: Sendable {
    let truth: String
    /// Name of the dataset that holds the truth's places.
    let dataset: String
    /// What each call has: a deadline from now on, and a token.
    let options: @Sendable () -> CallOptions

    package init(truth: String, dataset: String, options: @escaping @Sendable () -> CallOptions) {
        self.truth = truth
        self.dataset = dataset
        self.options = options
    }

    /// Half the Earth's girth in metres, and a little more: nothing is farther away.
    package static let everywhere = 20_016_000.0

    package func run(
        _ places: PlacesServiceClient, reading pool: BlockingPool, data: String
    ) async throws -> (TruthReport, Duration) {
        let lines = try await pool.run { [truth] in try TruthFile.read(truth) }
        var report = TruthReport(truth: truth, data: data)
        let start = MonotonicTime.now
        for (number, line) in lines {
            report.add(number, try await verdict(line, number, places))
        }
        return (report, MonotonicTime.now.since(start))
    }

    private func verdict(_ line: TruthLine, _ number: Int, _ places: PlacesServiceClient) async throws -> TruthVerdict {
        do {
            let circle = try await places.nearby(request(line, radius: line.radius), options())
            let nearest = try await places.nearby(request(line, radius: Self.radius(around: line)), options())
            return TruthVerdict(line, circle: circle, nearest: nearest, prefix: "catalog/\(dataset)/")
        } catch let error as RPCError where error.code == .invalidArgument {
            let cure = "with the file itself as --data, services without a limit are started"
            throw CommandFailure("\(truth), line \(number): the target refuses it (\(error.message)); \(cure)")
        }
    }

    /// A radius that surely holds the ten nearest.
    private static func radius(around line: TruthLine) -> Double {
        guard line.nearest.count == 10, let last = line.nearest.last else { return everywhere }
        return min(everywhere, last.metres * 1.01 + 10)
    }

    private func request(_ line: TruthLine, radius: Double) -> NearbyRequest {
        NearbyRequest(
            centre: Coordinate(latitude: line.latitude, longitude: line.longitude), radiusM: radius, limit: 10,
            datasets: [dataset], includeCount: true)
    }
}
