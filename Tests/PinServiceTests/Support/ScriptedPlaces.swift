import Fakes
import PlaceContracts
import EventLoops
import Geo
import RPC
import Synchronization
import TestSupport
import Wire

/// The places service with places that a test puts there, and with faults that it wants.
final class ScriptedPlaces: PlacesServiceFake {
    struct State {
        var places: [Place] = []
        var name: String?
        /// What a question is answered with instead, when it gives something.
        var fault: (@Sendable (NearbyRequest) -> RPCError?)?
        var nameFault: RPCError?
        /// When a dataset with areas was imported; nil without one.
        var areasImportedSeconds: Int64?
        /// What is done before a question is answered.
        var before: (@Sendable (NearbyRequest) async throws -> Void)?
        /// Whether what lies outside of the circle is given too.
        var isSloppy = false
        /// The live networks that are configured, and what comes of asking one.
        var live: [String] = []
        var discovered: (@Sendable (DiscoverRequest) -> NetworkResult)?
    }

    let state = Mutex(State())
    private let switched = Bell()
    let areas = ScriptedAreas()
    /// The questions for places that came.
    let asked = Tally()
    let accounts = Mutex(Set<String>())

    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func nearby(_ request: NearbyRequest, _ context: CallContext) async throws -> Packed<NearbyResponse> {
        let account = try context.account
        accounts.withLock { _ = $0.insert(account) }
        asked.add()
        try await state.withLock { $0.before }?(request)
        if let error = state.withLock({ $0.fault })?(request) { throw error }
        return Packed(try answer(request))
    }

    private func answer(_ request: NearbyRequest) throws -> NearbyResponse {
        let (places, isSloppy) = state.withLock { ($0.places, $0.isSloppy) }
        let centre = try point(request.centre)
        let known = Set(request.networks)
        let inside = try places.filter { known.isEmpty || known.contains(String($0.id.prefix { $0 != "/" })) }.map {
            ($0, centre.metres(to: try point($0.position)))
        }
        .filter { isSloppy || request.anyDistance || $0.1 <= request.radiusM ?? 0 }
        .sorted { ($0.1, $0.0.id) < ($1.1, $1.0.id) }
        let start = Int(request.pageToken) ?? 0
        let end = min(inside.count, start + Int(request.limit ?? 20))
        let part = inside[start..<end].map { place, metres in
            var place = place
            place.distanceM = metres
            return place
        }
        let more = end < inside.count
        return NearbyResponse(places: part, nextPageToken: more ? "\(end)" : "", truncated: more)
    }

    private func point(_ message: BaseContracts.Coordinate?) throws -> Geo.Coordinate {
        guard let message else { throw RPCError(.invalidArgument, "no point") }
        return try Geo.Coordinate(latitude: message.latitude, longitude: message.longitude)
    }

    func reverseGeocode(
        _ request: ReverseGeocodeRequest, _ context: CallContext
    ) async throws -> ReverseGeocodeResponse {
        let (name, fault) = state.withLock { ($0.name, $0.nameFault) }
        if let fault { throw fault }
        guard let name else { throw RPCError(.failedPrecondition, "there are no towns") }
        return ReverseGeocodeResponse(name: name)
    }

    func listDatasets(_: ListDatasetsRequest, _: CallContext) async throws -> ListDatasetsResponse {
        let seconds = state.withLock { $0.areasImportedSeconds }
        let dataset = seconds.map {
            Dataset(name: "borders", importTime: TimestampMessage(seconds: $0, nanos: 0), areaCount: 3)
        }
        return ListDatasetsResponse(datasets: [dataset, Dataset(name: "shops")].compactMap(\.self))
    }

    func discover(_ request: DiscoverRequest, _: CallContext) async throws -> DiscoverResponse {
        guard let discovered = state.withLock({ $0.discovered }) else {
            throw RPCError(notFaked: PlacesServiceMethods.discover)
        }
        return DiscoverResponse(results: [discovered(request)])
    }

    func listNetworks(_: ListNetworksRequest, _: CallContext) async throws -> ListNetworksResponse {
        let live = state.withLock { $0.live }
        return ListNetworksResponse(
            networks: [NetworkInfo(name: "catalog", on: true, available: true)]
                + live.map { NetworkInfo(name: $0, on: true, live: true, available: true) })
    }

    func watchNetworks(
        _: WatchNetworksRequest, _ responses: ResponseWriter<WatchNetworksResponse>, _: CallContext
    ) async throws {
        while true {
            let rung = switched.count
            let live = state.withLock { $0.live }
            try await responses.write(WatchNetworksResponse(networks: live, version: UInt64(rung) + 1))
            await switched.wait(after: rung)
            try Task.checkCancellation()
        }
    }

    /// Switches live networks on, and all others off.
    func turnOn(_ live: [String]) {
        set { $0.live = live }
        switched.ring()
    }
}

/// The part of the places service that keeps what is around pins: it notes what it is told.
final class ScriptedAreas: HeldAreaServiceFake {
    struct State {
        /// What is held for each pin, in the order in which it came.
        var held: [String: [HoldAreaRequest]] = [:]
        var released: [String] = []
        /// Accounts that were deleted.
        var forgotten: [String] = []
        /// What the next calls are answered with.
        var faults: [RPCError] = []
    }

    let state = Mutex(State())
    /// The calls that came.
    let asked = Tally()

    func holdArea(_ request: HoldAreaRequest, _: CallContext) async throws -> HoldAreaResponse {
        defer { asked.add() }
        try state.withLock { state in
            if let fault = state.faults.popLast() { throw fault }
            state.held[request.pinId, default: []].append(request)
        }
        return HoldAreaResponse()
    }

    func releaseAreas(_ request: ReleaseAreasRequest, _: CallContext) async throws -> ReleaseAreasResponse {
        defer { asked.add() }
        try state.withLock { state in
            if let fault = state.faults.popLast() { throw fault }
            state.held[request.pinId] = nil
            state.released.append(request.pinId)
        }
        return ReleaseAreasResponse()
    }

    func forgetFindings(_: ForgetFindingsRequest, _ context: CallContext) async throws -> ForgetFindingsResponse {
        let account = try context.account
        state.withLock { $0.forgotten.append(account) }
        return ForgetFindingsResponse()
    }
}

extension Place {
    /// A place `metres` north of a point.
    static func north(_ metres: Double, of latitude: Double, _ longitude: Double, id: String) -> Place {
        Place(
            id: "catalog/test/\(id)", name: "Place \(id)", categories: ["amenity/cafe", "shop"],
            position: BaseContracts.Coordinate(latitude: latitude + metres / 111_195.08, longitude: longitude))
    }
}
