import EventLoops
package import Geo
package import Daemon

/// Stores what one network listed, and makes it searchable.
package protocol FoundItems<Item>: Sendable {
    associatedtype Item: Sendable

    /// Stores items that were in an answer at a time, in milliseconds since 1970; an item with a known id is replaced.
    func upsert(_ items: [Item], seen: Int64) async throws

    /// Removes items in cells that have just been fetched again that were in no answer since a time; `isListed` says,
    /// by the id, whether the network would have listed it.
    func removeUnseen(
        in cells: [GridCell], since time: Int64, isListed: @escaping @Sendable (String) -> Bool
    ) async throws

    /// How many are stored within a circle.
    func count(around centre: Coordinate, radiusMetres: Double) async throws -> Int
}

/// Asks one network what lies in a circle: for the cells of the ledger that are not known, and no others.
package struct AreaSearch<Item: Sendable>: Sendable {
    /// How long to wait for cells that another search is asking for before checking again.
    private static var patience: Duration { .seconds(1) }

    package let queue: NetworkQueue
    package let provider: any AreaSource<Item>
    /// The name under which its cells are stored.
    private let area: String
    private let ledger: any AreaLedger
    private let found: any FoundItems<Item>
    private let clock: WallClock

    /// - Parameter area: the name under which its cells are stored; that of the network when it is nil.
    package init(
        _ provider: some AreaSource<Item>, _ queue: NetworkQueue, _ ledger: any AreaLedger,
        _ found: some FoundItems<Item>, _ clock: WallClock, area: String? = nil
    ) {
        self.provider = provider
        self.area = area ?? provider.name
        self.queue = queue
        self.ledger = ledger
        self.found = found
        self.clock = clock
    }

    /// Runs the search; `isForced` ignores earlier answers.
    package func run(_ centre: Coordinate, _ radiusMetres: Double, isForced: Bool) async throws -> NetworkFinding {
        let lease = AreaLease(network: area)
        let cells = GridCell.covering(centre, radiusMetres: radiusMetres)
        let notBefore = isForced ? clock.unixMilliseconds : 0
        var finding = NetworkFinding(network: provider.name, status: .found)
        while finding.status == .found {
            let rung = ledger.bell.count
            let claim = try await claim(cells, lease, notBefore)
            if var patch = GridPatch(claim.mine) {
                // Cells that the circle also covers become known with it.
                if provider.asksForCircles {
                    patch.besides = try await self.claim(patch.heldBesides, lease, notBefore).mine
                }
                try await ask(patch, lease, &finding)
            } else if claim.isOthers {
                try Task.checkCancellation()
                await ledger.bell.wait(after: rung, timeout: Self.patience)
            } else {
                break
            }
        }
        finding.count = try await found.count(around: centre, radiusMetres: radiusMetres)
        if finding.status == .found, finding.count == 0 { finding.status = .empty }
        return finding
    }

    private func claim(_ cells: [GridCell], _ lease: AreaLease, _ notBefore: Int64) async throws -> AreaClaim {
        try await ledger.claim(cells, lease, notBefore: notBefore, at: clock.unixMilliseconds)
    }

    /// Asks for a patch completely, or until something fails; the cells that are not known then are released.
    private func ask(_ patch: GridPatch, _ lease: AreaLease, _ finding: inout NetworkFinding) async throws {
        do {
            if let failure = try await work(patch, lease, &finding) { finding.fail(failure) }
        } catch {
            try? await ledger.free(lease)
            throw error
        }
        try await ledger.free(lease)
    }

    private func work(
        _ patch: GridPatch, _ lease: AreaLease, _ finding: inout NetworkFinding
    ) async throws -> AskFailure? {
        let start = clock.unixMilliseconds
        var work = AreaWork(
            patch, requests: queue.rules.perSearch - finding.requestCount,
            maximumRadiusMetres: provider.about.maximumRadiusMetres)
        while let ask = work.next() {
            finding.requestCount += 1
            // The clock may have been set back since the start: this answer was not seen before the current time.
            let began = max(start, clock.unixMilliseconds)
            switch try await answer(ask, lease) {
            case .failure(let failure): return failure
            case .success(let page):
                try await found.upsert(page.items, seen: began)
                let known = work.answered(ask, isFull: page.isFull, cursor: page.cursor)
                try await put(known, start)
            }
        }
        if work.isTruncated {
            finding.status = .truncated
            finding.message = "there are more \(provider.about.gives) than \(queue.rules.perSearch) requests can return"
        }
        return nil
    }

    private func answer(_ ask: AreaWork.Ask, _ lease: AreaLease) async throws -> Result<AnswerPage<Item>, AskFailure> {
        try await provider.items(
            in: ask.patch, cursor: ask.cursor, by: queue,
            renew: { [ledger, clock] in try await ledger.renew(lease, at: clock.unixMilliseconds) })
    }

    /// Records that cells are known, by answers since `start`.
    private func put(_ cells: [GridCell], _ start: Int64) async throws {
        guard !cells.isEmpty else { return }
        let provider = provider
        try await found.removeUnseen(in: cells, since: start, isListed: { provider.isListed($0) })
        try await ledger.known(
            cells, of: area, fetched: start, expires: start + queue.rules.expiryMilliseconds)
    }
}

/// The result of asking a live network about a circle.
package struct NetworkFinding: Equatable, Sendable {
    package enum Status: Equatable, Sendable {
        /// Everything that the network has is known, and there is something.
        case found
        /// Everything is known, and there is nothing.
        case empty
        /// There is more than could be requested.
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

    mutating func fail(_ failure: AskFailure) {
        status = failure.kind == .off ? .disabled : .failed(failure.kind)
        message = failure.reason
        retryAfterMilliseconds = failure.retryAfterMilliseconds
    }
}
