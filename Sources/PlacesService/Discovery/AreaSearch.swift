import Daemon
import EventLoops
import Geo
import Storage

/// Asks one network for the places of a circle: for the cells of the ledger that are not known, and no others.
struct AreaSearch: Sendable {
    /// How long to wait for cells that another search asks for, before looking again.
    private static let patience: Duration = .seconds(1)

    let desk: NetworkDesk
    let store: DiscoveryStore
    let places: DiscoveredIndex
    let clock: WallClock

    private var live: LiveNetwork { desk.live }

    /// The finding; `isForced` passes over answers from before now.
    func run(_ centre: Coordinate, _ radiusMetres: Double, isForced: Bool) async throws -> NetworkFinding {
        let lease = CellLease(network: live.network, number: .random(in: 1...Int64.max))
        let cells = GridCell.covering(centre, radiusMetres: radiusMetres)
        let notBefore = isForced ? clock.unixMilliseconds : 0
        var finding = NetworkFinding(network: live.network, status: .found)
        while finding.status == .found {
            let rung = store.bell.count
            let claim = try await claim(cells, lease, notBefore)
            if var patch = GridPatch(claim.mine) {
                // What a circle tells of other cells comes with it.
                if live.provider.asksForCircles {
                    patch.besides = try await self.claim(patch.heldBesides, lease, notBefore).mine
                }
                try await ask(patch, lease, &finding)
            } else if claim.isOthers {
                try Task.checkCancellation()
                await store.bell.wait(after: rung, timeout: Self.patience)
            } else {
                break
            }
        }
        finding.placeCount = try await store.count(live.network, around: centre, radiusMetres: radiusMetres)
        if finding.status == .found, finding.placeCount == 0 { finding.status = .empty }
        return finding
    }

    private func claim(_ cells: [GridCell], _ lease: CellLease, _ notBefore: Int64) async throws -> CellClaim {
        let now = clock.unixMilliseconds
        return try await store.database.write { transaction throws(SQLError) in
            try transaction.claim(cells, lease, notBefore: notBefore, at: now)
        }
    }

    /// Asks for a patch to its end, or until something fails; the cells that are not known then are free again.
    private func ask(_ patch: GridPatch, _ lease: CellLease, _ finding: inout NetworkFinding) async throws {
        do {
            let failure = try await work(patch, lease, &finding)
            if let failure {
                finding.status = .failed(failure.kind)
                finding.message = failure.reason
                finding.retryAfterMilliseconds = failure.retryAfterMilliseconds
            }
        } catch {
            try? await free(lease)
            throw error
        }
        try await free(lease)
    }

    private func work(
        _ patch: GridPatch, _ lease: CellLease, _ finding: inout NetworkFinding
    ) async throws -> AskFailure? {
        let start = clock.unixMilliseconds
        var work = AreaWork(
            patch, requests: live.rules.perSearch - finding.requestCount,
            maximumRadiusMetres: live.provider.about.maximumRadiusMetres)
        while let ask = work.next() {
            finding.requestCount += 1
            // The clock may have been set back since the start: what is answered now was not seen before it.
            let began = max(start, clock.unixMilliseconds)
            let request = live.provider.request(ask.patch, cursor: ask.cursor)
            switch try await desk.ask(request, renew: { try await renew(lease) }) {
            case .failure(let failure): return failure
            case .success(let page):
                try await places.upsert(page.places, network: live.network, seen: began)
                let known = work.answered(ask, isFull: page.isFull, cursor: page.cursor)
                try await put(known, start)
            }
        }
        if work.isTruncated {
            finding.status = .truncated
            finding.message = "there are more places than \(live.rules.perSearch) requests can tell"
        }
        return nil
    }

    /// Notes that cells are known, by answers since `start`.
    private func put(_ cells: [GridCell], _ start: Int64) async throws {
        guard !cells.isEmpty else { return }
        let live = live
        try await places.removeUnseen(
            in: cells, network: live.network, since: start, isListed: live.provider.isListed)
        try await store.database.write { transaction throws(SQLError) in
            try transaction.known(
                cells, live.network, fetched: start, expires: start + live.rules.expiryMilliseconds)
        }
        store.bell.ring()
    }

    private func renew(_ lease: CellLease) async throws {
        let now = clock.unixMilliseconds
        try await store.database.write { transaction throws(SQLError) in try transaction.renew(lease, at: now) }
    }

    private func free(_ lease: CellLease) async throws {
        try await store.database.write { transaction throws(SQLError) in try transaction.free(lease) }
        store.bell.ring()
    }
}
