import EventLoops
package import Geo
package import Daemon

/// Stores what one network listed, and makes it searchable.
package protocol FoundItems<Item>: Sendable {
    associatedtype Item: Sendable

    /// Stores items that were in an answer to an account's search at a time, in milliseconds since 1970; an item with a
    /// known id is replaced.
    func upsert(_ items: [Item], seen: Int64, for account: String) async throws

    /// Removes items in cells that have just been fetched for an account that were in no answer since a time;
    /// `isListed` says, by the id, whether the network would have listed it.
    func removeUnseen(
        in cells: [GridCell], since time: Int64, isListed: @escaping @Sendable (String) -> Bool, for account: String
    ) async throws

    /// How many are stored for an account within a circle.
    func count(around centre: Coordinate, radiusMetres: Double, for account: String) async throws -> Int
}

/// Asks one network what lies in a circle: for the cells of the ledger that are not known, and no others.
package struct AreaSearch<Item: Sendable>: Sendable {
    /// How long to wait for cells that another search is asking for before checking again.
    private static var patience: Duration { .seconds(1) }

    package let queue: NetworkQueue
    package let provider: any AreaSource<Item>
    /// The name under which its cells are stored, where one account alone sees what is found; nil: a name for each.
    private let ownArea: String?
    private let ledger: any AreaLedger
    private let found: any FoundItems<Item>
    private let clock: WallClock

    /// - Parameter area: the name under which its cells are stored, of a source that is one account's own. Else each
    ///   account has cells of its own: that a cell is known already would tell that another has asked for it.
    package init(
        _ provider: some AreaSource<Item>, _ queue: NetworkQueue, _ ledger: any AreaLedger,
        _ found: some FoundItems<Item>, _ clock: WallClock, area: String? = nil
    ) {
        self.provider = provider
        ownArea = area
        self.queue = queue
        self.ledger = ledger
        self.found = found
        self.clock = clock
    }

    /// Runs the search. The nearest cells are asked for first, and none once the nearest items that are wanted are
    /// known for certain.
    package func run(_ question: AreaQuestion) async throws -> NetworkFinding {
        var finding = NetworkFinding(network: provider.name, status: .found)
        let (asker, now) = (question.asker, clock.unixMilliseconds)
        if question.isForced { try await ledger.restart(asker, of: queue.name) }
        if try await ledger.isSettled(asker, of: queue.name, at: now) {
            finding.status = .truncated
        } else {
            try await cover(question, since: now, &finding)
        }
        finding.count = try await count(question, question.radiusMetres)
        if finding.status == .found, finding.count == 0 { finding.status = .empty }
        return finding
    }

    /// Asks about the circle part by part, from the middle.
    private func cover(_ question: AreaQuestion, since start: Int64, _ finding: inout NetworkFinding) async throws {
        var reach = question.firstReach
        while true {
            let pass = Pass(question: question, reach: reach, start: start, lease: AreaLease(network: area(question)))
            try await cover(pass, &finding)
            guard finding.status == .found, reach < question.radiusMetres else { return }
            let count = try await count(question, reach)
            if let nearest = question.nearest, count >= nearest {
                finding.status = .truncated
                return
            }
            reach = question.reach(after: reach, found: count)
        }
    }

    /// What is asked about at once.
    private struct Pass {
        let question: AreaQuestion
        let reach: Double
        let start: Int64
        let lease: AreaLease

        var notBefore: Int64 { question.isForced ? start : 0 }
    }

    private func cover(_ pass: Pass, _ finding: inout NetworkFinding) async throws {
        let question = pass.question
        var work = AreaWork(
            GridCell.covering(question.centre, radiusMetres: pass.reach), from: question.centre,
            maximumRadiusMetres: provider.about.maximumRadiusMetres, nearest: question.nearest)
        var isFirst = true
        while let ask = work.next() {
            let rung = ledger.bell.count
            let claim = try await claim(ask.patch.cells, pass)
            guard let ask = work.take(ask, claim) else {
                try await ledger.free(pass.lease)
                try Task.checkCancellation()
                if claim.isOthers { await ledger.bell.wait(after: rung, timeout: Self.patience) }
                continue
            }
            let failure = try await freeing(pass.lease) { try await self.ask(ask, isFirst, pass, &work, &finding) }
            isFirst = false
            if let failure { return finding.fail(failure, of: provider.about, queue.rules) }
            if try await isEnough(question, min(work.knownMetres, pass.reach), work) {
                try await ledger.settle(question.asker, of: queue.name)
                finding.status = .truncated
                return
            }
        }
        if work.isTruncated { finding.truncate(provider.about, queue.rules) }
    }

    /// Asks for a patch, or what is left of it; the cells that are not known then are released.
    private func ask(
        _ ask: AreaWork.Ask, _ isFirst: Bool, _ pass: Pass, _ work: inout AreaWork, _ finding: inout NetworkFinding
    ) async throws -> AskFailure? {
        var patch = ask.patch
        // Cells that the circle also covers become known with it.
        if isFirst, provider.asksForCircles { patch.besides = try await claim(patch.heldBesides, pass).mine }
        // The clock may have been set back since the start: this answer was not seen before the current time.
        let began = max(pass.start, clock.unixMilliseconds)
        let answer = try await provider.items(
            in: patch, cursor: ask.cursor, by: queue, for: pass.question.asker,
            renew: { [ledger, clock] in try await ledger.renew(pass.lease, at: clock.unixMilliseconds) })
        switch answer {
        case .failure(let failure):
            if failure.kind != .spent { finding.requestCount += 1 }
            return failure
        case .success(let page):
            finding.requestCount += 1
            try await found.upsert(page.items, seen: began, for: pass.question.account)
            let known = work.answered(
                ask, besides: patch.besides, isFull: page.isFull, cursor: page.cursor, count: page.items.count)
            try await put(known, pass)
            return nil
        }
    }

    private func freeing<Value>(_ lease: AreaLease, _ body: () async throws -> Value) async throws -> Value {
        let value: Value
        do {
            value = try await body()
        } catch {
            try? await ledger.free(lease)
            throw error
        }
        try await ledger.free(lease)
        return value
    }

    /// Whether the nearest that are wanted are nearer than all that is not known.
    private func isEnough(_ question: AreaQuestion, _ metres: Double, _ work: AreaWork) async throws -> Bool {
        guard let nearest = question.nearest, !work.isDone || work.isTruncated else { return false }
        return try await count(question, metres) >= nearest
    }

    private func count(_ question: AreaQuestion, _ metres: Double) async throws -> Int {
        try await found.count(around: question.centre, radiusMetres: metres, for: question.account)
    }

    private func area(_ question: AreaQuestion) -> String {
        ownArea ?? AreaLease.area(of: provider.name, for: question.account)
    }

    private func claim(_ cells: [GridCell], _ pass: Pass) async throws -> AreaClaim {
        try await ledger.claim(cells, pass.lease, notBefore: pass.notBefore, at: clock.unixMilliseconds)
    }

    /// Records that cells are known, by answers since the search began.
    private func put(_ cells: [GridCell], _ pass: Pass) async throws {
        guard !cells.isEmpty else { return }
        let provider = provider
        try await found.removeUnseen(
            in: cells, since: pass.start, isListed: { provider.isListed($0) }, for: pass.question.account)
        try await ledger.known(
            cells, of: pass.lease.network, fetched: pass.start,
            expires: pass.start + queue.rules.expiryMilliseconds)
    }
}

/// The result of asking a live network about a circle.
package struct NetworkFinding: Equatable, Sendable {
    package enum Status: Equatable, Sendable {
        /// Everything that the network has is known, and there is something.
        case found
        /// Everything is known, and there is nothing.
        case empty
        /// There is more than could be requested; without a message, the nearest that were wanted are known.
        case truncated
        case failed(AskFailure.Kind)
        /// The network is not configured, or switched off.
        case disabled
    }

    package let network: String
    package var status: Status
    /// Items of the network that are stored within the circle.
    package var count = 0
    /// Requests made by this search.
    package var requestCount = 0
    package var retryAfterMilliseconds: Int64?
    /// A warning for the user; empty when there is none.
    package var message: String

    package init(network: String, status: Status, message: String = "") {
        self.network = network
        self.status = status
        self.message = message
    }

    mutating func truncate(_ about: ProviderAbout, _ rules: NetworkRules) {
        status = .truncated
        message = "there are more \(about.gives) than \(rules.perSearch) requests can return"
    }

    mutating func fail(_ failure: AskFailure, of about: ProviderAbout, _ rules: NetworkRules) {
        if failure.kind == .spent { return truncate(about, rules) }
        status = failure.kind == .off ? .disabled : .failed(failure.kind)
        message = failure.reason
        retryAfterMilliseconds = failure.retryAfterMilliseconds
    }
}
