import Contracts
import EventLoops
import Glibc
import RPC
import Wire

/// Explorations one after the other, with their plan or without: a line "on 500 1000 20" or "off 500 1000 20" on
/// standard input makes so many with that radius and limit, and prints one object: how long the client waited, which
/// part of that the plan of each covers, and the rest, which is the way to the gateway and back.
struct Explained {
    let client: RPCClient

    private static let timeout: Duration = .seconds(60)

    func run() async throws {
        while let line = readLine() {
            let words = line.split(separator: " ")
            guard words.count == 4, let count = Int(words[1]), let radius = Double(words[2]),
                let limit = UInt32(words[3]), count > 0
            else { throw WrongAnswer("\(line) is not on or off and three numbers") }
            print(
                try await explore(
                    count,
                    ExploreRequest(
                        centre: Coordinate(latitude: 60.1699, longitude: 24.9384), radiusM: radius, limit: limit,
                        explain: words[0] == "on")))
            fflush(nil)
        }
    }

    private func explore(_ count: Int, _ request: ExploreRequest) async throws -> String {
        var (waits, shares, rests): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<count {
            let start = MonotonicTime.now
            let bytes = try await client.unaryBytes(
                ExploreServiceMethods.explore, request.packedBytes(), CallOptions(timeout: Self.timeout))
            let wait = MonotonicTime.now.since(start) / .microseconds(1)
            let answer = try ExploreParts(packed: bytes)
            guard answer.branches.allSatisfy({ $0.code == 0 }) else { throw WrongAnswer("a branch failed") }
            waits.append(wait)
            guard let plan = answer.plan else { continue }
            shares.append(Self.covered(plan) / wait)
            rests.append(wait - Self.covered(plan))
        }
        let medians = [waits, shares, rests].map { values in values.isEmpty ? 0 : values.sorted()[values.count / 2] }
        return "{\"median_us\":\(medians[0]),\"median_covered\":\(medians[1]),\"median_rest_us\":\(medians[2])}"
    }

    /// Microseconds in which one of the plan's steps was done. The branches are done at the same time.
    private static func covered(_ plan: AnswerPlan) -> Double {
        var (sum, end) = (Duration.zero, Duration.zero)
        let spans = plan.steps.filter { $0.depth == 1 }.map { step in
            let start = step.start?.duration ?? .zero
            return (start: start, end: start + (step.duration?.duration ?? .zero))
        }
        for span in spans.sorted(by: { $0.start < $1.start }) where span.end > end {
            sum += span.end - max(end, span.start)
            end = span.end
        }
        return sum / .microseconds(1)
    }
}
