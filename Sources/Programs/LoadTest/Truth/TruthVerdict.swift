import Bytes
import GatewayContracts

/// How an answer compares with the truth.
struct TruthVerdict: Equatable, Sendable {
    enum Grade: Equatable, Sendable {
        case exact
        /// Within what an ellipsoid's distances may differ: 0.6 %.
        case tolerated
        case missed(String)
    }

    let count: Grade
    let nearest: Grade

    /// How far a distance may be off: the truth's rounding, and the share that an ellipsoid makes.
    private static let rounding = 0.01
    private static let share = 0.006

    /// - Parameters:
    ///   - circle: the answer within the truth's radius, at most ten places, counted.
    ///   - nearest: the answer within a radius that holds as many places as the truth names.
    ///   - prefix: what our ids have before the id in the file: "catalog/mine/".
    init(_ truth: TruthLine, circle: NearbyResponse, nearest: NearbyResponse, prefix: String) {
        count = Self.grade(count: circle.count, truth)
        let found = nearest.places.map { Found($0, prefix) }
        let inCircle = circle.places.map { Found($0, prefix) }
        let expected = found.prefix { $0.metres <= truth.radius }.prefix(inCircle.count)
        if Array(expected) != inCircle || (inCircle.count < 10 && inCircle.count != Int(clamping: circle.count ?? 0)) {
            self.nearest = .missed("the places within the radius are not the nearest ones: \(inCircle.map(\.id))")
        } else {
            self.nearest = Self.grade(found, truth.nearest)
        }
    }

    private struct Found: Equatable {
        let id: String
        let metres: Double

        init(_ place: Place, _ prefix: String) {
            id = String(place.id.after(prefix) ?? place.id[...])
            metres = place.distanceM ?? .infinity
        }
    }

    private static func grade(count: UInt64?, _ truth: TruthLine) -> Grade {
        guard let count else { return .missed("the answer has no count") }
        if count == truth.count { return .exact }
        if truth.tolerated.contains(count) { return .tolerated }
        return .missed(
            "counted \(count), the truth is \(truth.count) (\(truth.tolerated.lowerBound) to \(truth.tolerated.upperBound))"
        )
    }

    private static func grade(_ found: [Found], _ truth: [TruthLine.Neighbour]) -> Grade {
        guard found.count == truth.count else { return .missed("found \(found.count) of the \(truth.count) nearest") }
        var isExact = true
        for (place, expected) in zip(found, truth) {
            let error = abs(place.metres - expected.metres)
            guard error <= max(rounding, share * expected.metres) else {
                return .missed(
                    "\(place.id) is \(place.metres) m away, the truth there is \(expected.id) at \(expected.metres) m")
            }
            if error > rounding { isExact = false }
        }
        guard let stranger = stranger(among: found, truth) else { return isExact ? .exact : .tolerated }
        return isExact ? .missed("\(stranger) is not among the nearest, or not in its turn") : .tolerated
    }

    /// A place at another position than in the truth. Places at equal rounded metres may be swapped; at the end also
    /// with places that the truth does not list any more.
    private static func stranger(among found: [Found], _ truth: [TruthLine.Neighbour]) -> String? {
        for (index, place) in found.enumerated() {
            let equal = truth.filter { $0.metres == truth[index].metres }
            let isLastGroup = truth[index].metres == truth.last?.metres
            let isKnown = truth.contains { $0.id == place.id }
            if !equal.contains(where: { $0.id == place.id }), !isLastGroup || isKnown { return place.id }
        }
        return nil
    }
}
