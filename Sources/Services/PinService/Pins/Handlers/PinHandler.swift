import PhotoContracts
import PinContracts
import Daemon
import EventLoops
import NearRows
import RPC
import Requests
import Storage
import Stores
import Wire

/// Answers calls about pins. Everything is done on behalf of the call's account.
struct PinHandler: PinServiceHandler {
    let store: PinStore
    let clock: WallClock
    /// The networks whose places a new pin links.
    let networks: PinNetworks
    /// The shortest interval between two answers to one watch.
    let watchPace: Duration

    init(
        _ store: PinStore, clock: WallClock, networks: PinNetworks = PinNetworks([.catalog()]),
        watchPace: Duration = .milliseconds(250)
    ) {
        self.store = store
        self.clock = clock
        self.networks = networks
        self.watchPace = watchPace
    }

    func createPin(_ request: CreatePinRequest, _ context: CallContext) async throws -> CreatePinResponse {
        let (account, draft) = (try context.account, try PinDraft(request))
        let (change, now) = (try change(request.requestId, request, context), clock.unixMilliseconds)
        let (id, limit) = (PinID.make(unixMilliseconds: now), NetworkChoice(limitOf: context))
        return try await store.make(change, deadline: context.storageDeadline) {
            [store, networks] transaction throws(SQLError) in
            let choice = try store.settings(of: account, transaction).networks
            guard choice != .unchosen else { return .failure(.needsNetworks) }
            let asked = choice.limited(to: limit)
            guard asked != .some([]) else { return .failure(.noneOfKey) }
            let pin = Pin(
                draft, id: id, account: account, networks: networks.current(by: asked),
                limit: limit, unixMilliseconds: now)
            return .success(CreatePinResponse(pin: PinContracts.Pin(try transaction.create(pin, at: now))))
        }
    }

    func getPin(_ request: GetPinRequest, _ context: CallContext) async throws -> GetPinResponse {
        let (account, id) = (try context.account, try PinID(request: request.id))
        var pin = try await store.read(.statement, deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.pin(id, of: account)
        }
        if pin?.isUnsearched ?? false, context.opensPins { pin = try await open(id, account) }
        guard let pin else { throw PinError.notFound(id) }
        return GetPinResponse(pin: PinContracts.Pin(pin, isWhole: true))
    }

    /// Begins the search of a pin of a file, which is opened for the first time; gives it as it is then. Nothing is
    /// searched for before its account has chosen networks.
    func open(_ id: PinID, _ account: String) async throws -> Pin? {
        let now = clock.unixMilliseconds
        return try await StoreError.converting("pins") { () async throws(SQLError) in
            try await store.database.write(.subject(account)) { [store, networks] transaction throws(SQLError) in
                guard let pin = try transaction.pin(id, of: account), pin.isUnsearched else {
                    return try transaction.pin(id, of: account)
                }
                let choice = try store.settings(of: account, transaction).networks.limited(to: pin.limit)
                let asked = networks.current(by: choice)
                guard choice != .unchosen, !asked.isEmpty else { return pin }
                return try transaction.open(pin.opened(networks: asked), at: now)
            }
        }
    }

    func listPins(_ request: ListPinsRequest, _ context: CallContext) async throws -> ListPinsResponse {
        let (account, listing) = (try context.account, try PinListing(request))
        let listed = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.list(listing, of: account)
        }
        return ListPinsResponse(listed)
    }

    func pinsNear(_ request: PinsNearRequest, _ context: CallContext) async throws -> Packed<PinsNearResponse> {
        let (account, start) = (try context.account, MonotonicTime.now)
        let query = try NearQuery(
            centre: request.centre, radiusMetres: request.radiusM, limit: request.limit)
        let found = try await StoreError.converting("pins") { () async throws(SQLError) in
            try await store.near.near(query, for: account, deadline: context.storageDeadline)
        }
        return found.packed(explains: request.explain, since: start, context) {
            PinsNearResponse(truncated: $0, explanation: $1)
        }
    }

    func listPinPlaces(
        _ request: ListPinPlacesRequest, _ context: CallContext
    ) async throws -> ListPinPlacesResponse {
        let (account, listing) = (try context.account, try PlaceListing(request))
        let listed = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.list(listing, of: account)
        }
        guard let listed else { throw PinError.notFound(listing.pin) }
        return ListPinPlacesResponse(listed, listing)
    }

    func getMapRegion(_ request: GetMapRegionRequest, _ context: CallContext) async throws -> GetMapRegionResponse {
        let account = try context.account
        let region = try await store.read(.statement, deadline: context.storageDeadline) {
            transaction throws(SQLError) in
            try transaction.mapRegion(of: account)
        }
        return GetMapRegionResponse(region: region.map { BaseContracts.Region($0) })
    }

    func getBounds(_ request: GetBoundsRequest, _ context: CallContext) async throws -> GetBoundsResponse {
        let (account, pin) = (try context.account, try PinID(optional: request.pinId, field: "pin_id"))
        let bounds = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.bounds(of: pin, of: account)
        }
        return GetBoundsResponse(box: try bounds.get().map { BaseContracts.Box($0) })
    }
}

extension CallContext {
    /// Whether a pin counts as opened by being seen. Not by those who look at a share, for whom the gateway asks in its
    /// account's name, nor by a key that only reads.
    var opensPins: Bool {
        guard let identity else { return false }
        return identity.service == nil && !identity.credential.isReadOnly
    }
}

extension NetworkChoice {
    /// What the caller's key may have asked.
    init(limitOf context: CallContext) {
        self = context.identity?.credential.networks.map { .some($0) } ?? .all
    }
}

extension PinError: RPCErrorConvertible {
    package var rpcError: RPCError {
        switch self {
        case .notFound(let id): RPCError(.notFound, "there is no pin \(id)")
        case .needsNetworks:
            RPCError(
                .failedPrecondition,
                "choose first which networks are asked about places and photos: in the map, or by `waymark settings set`"
            )
        case .noneOfKey:
            RPCError(
                .permissionDenied, "the account's settings enable none of the networks that this key may have asked")
        case .settings(.notConfigured(let names)):
            RPCError(
                .failedPrecondition,
                "\(names.joined(separator: ", ")) can't be asked by this server; its operator can set that up")
        case .settings(.lastNetwork):
            RPCError(.failedPrecondition, "at least one network stays enabled")
        }
    }
}
