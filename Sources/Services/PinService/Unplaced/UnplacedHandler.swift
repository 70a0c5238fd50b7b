import BaseContracts
import Daemon
import Geo
import PinContracts
import FeatureFiles
import RPC
import Refusals
import Requests
import Storage
import Stores

/// Answers calls about entries of files without a position.
struct UnplacedHandler: UnplacedPinServiceHandler {
    /// Other pins that say near what an entry may be.
    private static let companions = 50
    /// Entries that are looked up at once.
    private static let width = 4

    let store: PinStore
    let clock: WallClock
    let places: any TextFinder

    func listUnplacedPins(
        _ request: ListUnplacedPinsRequest, _ context: CallContext
    ) async throws -> ListUnplacedPinsResponse {
        let (account, end) = (try context.account, try Unplaced.ID.end(in: request.pageToken))
        let limit = Int(request.pageSize ?? ListUnplacedPinsRequest.pageSizeDefault)
        let (entries, near, count) = try await store.read(deadline: context.storageDeadline) {
            transaction throws(SQLError) in
            let entries = try transaction.unplaced(of: account, after: end, limit: limit + 1)
            var near: [Unplaced.ID: Geo.Coordinate] = [:]
            for entry in entries {
                near[entry.id] = Suggestion.middle(
                    of: try transaction.companions(of: entry, limit: Self.companions))
            }
            return (entries, near, try transaction.unplacedCount(of: account))
        }
        let shown = Array(entries.prefix(limit))
        let (suggestions, warning) = await suggestions(for: shown, near: near)
        return ListUnplacedPinsResponse(
            pins: shown.map { UnplacedPin($0, suggestions[$0.id]) },
            nextPageToken: entries.count > limit ? shown.last?.id.token ?? "" : "", warning: warning,
            totalCount: UInt64(clamping: count))
    }

    /// What the entries may be, and why that is not known. When the places service is away, it is asked no more.
    private func suggestions(
        for entries: [Unplaced], near: [Unplaced.ID: Geo.Coordinate]
    ) async -> ([Unplaced.ID: Suggestion], warning: String) {
        var (found, warning): ([Unplaced.ID: Suggestion], String) = ([:], "")
        await withTaskGroup(of: (Unplaced, Result<FoundPoint?, PeerError>).self) { group in
            var rest = entries[...]
            func begin() {
                guard warning.isEmpty, let entry = rest.popFirst() else { return }
                group.addTask { (entry, await look(for: entry, near: near[entry.id])) }
            }
            for _ in 0..<Self.width { begin() }
            for await (entry, result) in group {
                switch result {
                case .success(let point):
                    found[entry.id] = point.map { Suggestion($0, for: entry, near: near[entry.id]) }
                case .failure(let error): warning = error.words(of: "places service")
                }
                begin()
            }
        }
        return (found, warning)
    }

    private func look(for entry: Unplaced, near: Geo.Coordinate?) async -> Result<FoundPoint?, PeerError> {
        do throws(PeerError) {
            return .success(try await places.find(entry.wanted, near: near, account: entry.account))
        } catch {
            return .failure(error)
        }
    }

    func placePins(_ request: PlacePinsRequest, _ context: CallContext) async throws -> PlacePinsResponse {
        let (account, now) = (try context.account, clock.unixMilliseconds)
        var wanted: [(id: Unplaced.ID, position: Geo.Coordinate)] = []
        for (index, pin) in request.pins.enumerated() {
            wanted.append(
                (
                    try Unplaced.ID(request: pin.id, field: "pins[\(index)].id"),
                    try Geo.Coordinate(pin.position, field: "pins[\(index)].position")
                ))
        }
        let limit = NetworkChoice(limitOf: context)
        let change = try Change(request.requestId, request, context, clock: clock)
        return try await store.database.make(
            change, of: "imports", .subject(account), deadline: context.storageDeadline
        ) { [wanted] transaction throws(SQLError) -> Result<PlacePinsResponse, UnplacedError> in
            var added: [PinID] = []
            for ((id, position), pin) in zip(wanted, PinID.ascending(wanted.count, unixMilliseconds: now)) {
                guard let entry = try transaction.takeUnplaced(id, of: account),
                    let it = try transaction.pinImport(id.importID, of: account)
                else { return .failure(.notFound(id.description)) }
                let made: Pin
                do throws(Refusal) {
                    made = try entry.pin(at: position, pin, limit, now)
                } catch {
                    return .failure(.refused(id.description, error.description))
                }
                added += try transaction.place(entry, made, of: it, now)
            }
            return .success(PlacePinsResponse(pinIds: added.map(\.description)))
        }
    }

    func deleteUnplacedPins(
        _ request: DeleteUnplacedPinsRequest, _ context: CallContext
    ) async throws -> DeleteUnplacedPinsResponse {
        let account = try context.account
        var ids: [Unplaced.ID] = []
        for (index, id) in request.ids.enumerated() {
            ids.append(try Unplaced.ID(request: id, field: "ids[\(index)]"))
        }
        let count = try await StoreError.converting("imports") { [ids] () async throws(SQLError) in
            try await store.database.write(.subject(account), deadline: context.storageDeadline) {
                transaction throws(SQLError) in
                var count: UInt32 = 0
                for id in ids where try transaction.takeUnplaced(id, of: account) != nil { count += 1 }
                return count
            }
        }
        return DeleteUnplacedPinsResponse(deletedCount: count)
    }
}

extension Transaction {
    /// Makes a pin of an entry, as its file would have with a position; none when it is there already.
    fileprivate func place(
        _ entry: Unplaced, _ pin: Pin, of it: PinImport, _ now: Int64
    ) throws(SQLError) -> [PinID] {
        let added = try insert([pin], known: [nil], of: entry.account)
        let drafts = entry.lists.compactMap { PinList.Draft(FeatureList(name: $0)) }
        try putImportedLists([(pin.id, drafts)].filter { added.contains($0.0) }, of: it, at: now)
        var changed = try pinImport(it.id, of: entry.account) ?? it
        changed.addedCount += Int64(added.count)
        changed.doneCount += 1
        changed.counts.pins += 1
        try update(changed, at: now)
        return Array(added)
    }
}
