import Contracts

/// The branches of an exploration that have not answered yet, and what has come since the last message. It decides
/// what is sent, and when; the handler asks and sends.
struct OpenBranches {
    /// In the order of their reports.
    private(set) var waiting: [ExploreBranch]
    /// Of all branches that have answered.
    private(set) var reports: [Branch] = []
    /// Places of several branches are put together before they are sent.
    private let hasLive: Bool
    private var isBudgetOver = false
    private var held = ExploreAnswer()
    private var places: SentPlaces
    private var news: [Branch] = []

    init(_ query: ExploreQuery) {
        waiting = query.asked
        hasLive = !query.live.isEmpty
        places = SentPlaces(limit: Int(query.limit))
    }

    /// A branch has answered, or failed.
    mutating func add(_ part: BranchPart, of branch: ExploreBranch) {
        waiting.removeAll { $0 == branch }
        if hasLive, branch.isOfPlaces {
            places.add(part.given)
        } else {
            held.add(part.rows, of: branch)
        }
        news.append(part.report)
        reports.append(part.report)
    }

    /// From now on each branch is sent as soon as it has answered.
    mutating func budgetEnded() { isBudgetOver = true }

    /// Whether what has come is to be sent now.
    var isDue: Bool { isBudgetOver || waiting.isEmpty }

    /// What has come since the last message.
    mutating func next() -> (answer: ExploreAnswer, reports: [Branch]) {
        if hasLive { held.places = AnswerRows(places.next()) }
        defer { (held, news) = (ExploreAnswer(), []) }
        return (held, news)
    }
}
