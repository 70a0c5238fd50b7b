import Geo

/// What an exploration asks for, once it is known to be allowed.
struct ExploreQuery: Sendable {
    let centre: Coordinate
    let radiusMetres: Double
    let limit: UInt32
    let categories: [String]
    let excludedCategories: [String]
    let budget: Duration

    static let budgetRange: ClosedRange<Duration> = .milliseconds(1) ... .seconds(10)
    static let defaultBudget: Duration = .milliseconds(800)
}

/// How long a branch may take.
enum BranchDeadline {
    /// What is kept of the client's own deadline for composing the answer and sending it.
    static let reserve: Duration = .milliseconds(10)

    /// The branch's time: its budget, and no more than nine tenths of what the client still waits, less the reserve
    /// when that is the smaller cut.
    static func allowed(budget: Duration, clientWaits remaining: Duration?) -> Duration {
        guard let remaining else { return budget }
        let kept = min(reserve, remaining / 10)
        return min(budget, max(.zero, remaining - kept))
    }
}
