import Contracts
import Geo
import RPC
import Wire

extension ExploreQuery {
    /// Refuses what is out of range, naming the field, the value and what is allowed.
    init(_ request: ExploreRequest) throws(RPCError) {
        guard let point = request.centre else { throw .invalid("centre", "a latitude and a longitude are needed") }
        do {
            centre = try Geo.Coordinate(latitude: point.latitude, longitude: point.longitude)
        } catch {
            throw .invalid("centre", "\(error)")
        }
        radiusMetres = try Self.checked(
            request.radiusM ?? Self.defaultRadius, in: Self.radiusRange, "radius_m", "metres")
        limit = try Self.checked(request.limit ?? Self.defaultLimit, in: Self.limitRange, "limit", "results")
        budget = try Self.budget(request.budget)
        categories = request.categories
        excludedCategories = request.excludedCategories
    }

    private static func checked<N: Comparable>(
        _ value: N, in range: ClosedRange<N>, _ field: String, _ unit: String
    ) throws(RPCError) -> N {
        if range.contains(value) { return value }
        throw .invalid(field, "\(value) \(unit) were asked for, \(range.lowerBound) to \(range.upperBound) are allowed")
    }

    private static func budget(_ message: DurationMessage?) throws(RPCError) -> Duration {
        guard let message else { return defaultBudget }
        guard let budget = message.duration, budgetRange.contains(budget) else {
            throw .invalid("budget", "1 ms to 10 s are allowed")
        }
        return budget
    }
}
