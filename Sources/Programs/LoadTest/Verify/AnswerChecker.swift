import GatewayContracts
package import EventLoops
import Geo
import Wire

/// Compares answers of the radius search with a test of every single place.
package struct AnswerChecker: Sendable {
    let places: StoredPlaces
    private let now: @Sendable () -> MonotonicTime

    /// How long it may take in all; what is left then stays unchecked.
    private static let longest: Duration = .seconds(30)
    /// How far a distance may be off, in metres: both sides use one formula, a wire lies between them.
    private static let tolerance = 1e-6

    package init(_ places: StoredPlaces, now: @escaping @Sendable () -> MonotonicTime = { .now }) {
        self.places = places
        self.now = now
    }

    /// Blocks.
    package func check(_ samples: [AnswerSamples.Sample], of workload: Workload) throws -> AnswerCheck {
        var check = AnswerCheck(against: "brute force")
        let end = now() + Self.longest
        for sample in samples where now() < end {
            let request = try NearbyRequest(packed: workload.requests[sample.request])
            let answer = try NearbyResponse(packed: sample.answer)
            check.checked += 1
            if let difference = try difference(request, answer) { check.wrong.append(difference) }
        }
        return check
    }

    /// What is wrong with an answer; nil when nothing is.
    func difference(_ request: NearbyRequest, _ answer: NearbyResponse) throws -> String? {
        guard let point = request.centre else { return nil }
        let centre = try Geo.Coordinate(latitude: point.latitude, longitude: point.longitude)
        let found = try places.around(centre, radius: request.radiusM ?? NearbyLoad.defaultRadius)
        let expected = found.prefix(Int(request.limit ?? NearbyLoad.defaultLimit))
        let spot = "around \(point.latitude), \(point.longitude)"
        guard answer.places.count == expected.count else {
            return "\(spot): \(answer.places.count) places instead of \(expected.count)"
        }
        for (index, (place, right)) in zip(answer.places, expected).enumerated() {
            let isNear = abs((place.distanceM ?? .infinity) - right.metres) <= Self.tolerance
            guard place.id == right.id, isNear else {
                return "\(spot): place \(index + 1) is \(place.id) at \(place.distanceM ?? .nan) m"
                    + " instead of \(right.id) at \(right.metres) m"
            }
        }
        guard answer.truncated == (found.count > expected.count) else {
            return "\(spot): it says that there are \(answer.truncated ? "" : "no ")more; \(found.count) were found"
        }
        return nil
    }
}

/// How answers compare with right ones.
package struct AnswerCheck: Sendable, Equatable {
    /// Where the right ones are from: "brute force".
    let against: String
    var checked = 0
    /// A sentence for each answer that differs.
    var wrong: [String] = []
}
