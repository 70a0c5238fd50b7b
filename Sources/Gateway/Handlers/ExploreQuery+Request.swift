import Contracts
import Refusals
import Requests
import Wire

extension ExploreQuery {
    /// Refuses a value out of range, with the field, the value and what is allowed.
    init(_ request: ExploreRequest) throws(Refusal) {
        let near = try NearQuery(centre: request.centre, radiusMetres: request.radiusM, limit: request.limit)
        centre = near.centre
        radiusMetres = near.radiusMetres
        limit = UInt32(clamping: near.limit)
        budget = try Self.budget(request.budget)
        categories = request.categories
        excludedCategories = request.excludedCategories
    }

    private static func budget(_ message: DurationMessage?) throws(Refusal) -> Duration {
        guard let message else { return defaultBudget }
        guard let budget = message.duration, budgetRange.contains(budget) else {
            throw Refusal("budget", "\(message.seconds) s and \(message.nanos) ns", allowed: "1 ms to 10 s are")
        }
        return budget
    }
}
