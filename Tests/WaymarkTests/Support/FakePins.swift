import Fakes
import Contracts
import RPC
import Synchronization
import TestSupport
import Wire

/// Keeps pins, notes what it is asked, and plays what a watch shall tell.
final class FakePins: PinServiceFake {
    /// How a stream of a watch goes on: what it tells, then how it ends.
    struct Script: Sendable {
        var messages: [WatchPinResponse] = []
        var error: RPCError?
    }

    struct State {
        var pins: [Pin] = []
        var places: [PinPlace] = []
        var box: Box?
        /// One for each stream that is opened; the last one stays.
        var scripts: [Script] = []
        /// What changes fail with.
        var failure: RPCError?
        var moved: [MovePinRequest] = []
        var listed: [ListPinPlacesRequest] = []
        var watched: [WatchPinRequest] = []
        /// The names of all changes.
        var changes: [String] = []
    }

    let state = Mutex(State())

    /// Notes a change; fails when changes shall fail.
    private func begin(_ requestID: String) throws {
        try state.withLock { state in
            state.changes.append(requestID)
            if let failure = state.failure { throw failure }
        }
    }

    private func pin(_ id: String) throws -> Pin {
        guard let pin = state.withLock({ $0.pins.first { $0.id == id } }) else {
            throw RPCError(.notFound, "no pin \(id)")
        }
        return pin
    }

    func createPin(_ request: CreatePinRequest, _ context: CallContext) async throws -> CreatePinResponse {
        try begin(request.requestId)
        let pin = Pin(
            id: Sample.pinID, name: request.name, position: request.position, radiusM: request.radiusM ?? 1000,
            state: .new)
        state.withLock { $0.pins.append(pin) }
        return CreatePinResponse(pin: pin)
    }

    func getPin(_ request: GetPinRequest, _ context: CallContext) async throws -> GetPinResponse {
        GetPinResponse(pin: try pin(request.id))
    }

    /// One pin a page.
    func listPins(_ request: ListPinsRequest, _ context: CallContext) async throws -> ListPinsResponse {
        let pins = state.withLock { $0.pins }
        let index = Int(request.pageToken) ?? 0
        guard pins.indices.contains(index) else { return ListPinsResponse() }
        return ListPinsResponse(pins: [pins[index]], nextPageToken: index + 1 < pins.count ? "\(index + 1)" : "")
    }

    func pinsNear(_ request: PinsNearRequest, _ context: CallContext) async throws -> Packed<PinsNearResponse> {
        Packed(PinsNearResponse(pins: state.withLock { $0.pins }))
    }

    func movePin(_ request: MovePinRequest, _ context: CallContext) async throws -> MovePinResponse {
        try begin(request.requestId)
        state.withLock { $0.moved.append(request) }
        var pin = try pin(request.id)
        pin.position = request.position
        return MovePinResponse(pin: pin)
    }

    func renamePin(_ request: RenamePinRequest, _ context: CallContext) async throws -> RenamePinResponse {
        try begin(request.requestId)
        var pin = try pin(request.id)
        pin.name = request.name
        return RenamePinResponse(pin: pin)
    }

    func annotatePin(_ request: AnnotatePinRequest, _ context: CallContext) async throws -> AnnotatePinResponse {
        try begin(request.requestId)
        var pin = try pin(request.id)
        pin.note = request.note ?? ""
        pin.visitedDate = request.visitedDate ?? ""
        return AnnotatePinResponse(pin: pin)
    }

    func deletePin(_ request: DeletePinRequest, _ context: CallContext) async throws -> DeletePinResponse {
        try begin(request.requestId)
        let pin = try pin(request.id)
        return DeletePinResponse(placeCount: pin.placeCount, pin: pin)
    }

    func listPinPlaces(_ request: ListPinPlacesRequest, _ context: CallContext) async throws -> ListPinPlacesResponse {
        let places = state.withLock { state in
            state.listed.append(request)
            return state.places
        }
        let start = Int(request.pageToken) ?? 0
        let page = places.dropFirst(start).prefix(Int(min(request.pageSize ?? 2, 2)))
        let end = start + page.count
        return ListPinPlacesResponse(
            places: Array(page), nextPageToken: end < places.count ? "\(end)" : "", count: UInt32(places.count))
    }

    func watchPin(
        _ request: WatchPinRequest, _ responses: ResponseWriter<WatchPinResponse>, _ context: CallContext
    ) async throws {
        let script = state.withLock { state in
            state.watched.append(request)
            return state.scripts.count > 1 ? state.scripts.removeFirst() : state.scripts.first ?? Script()
        }
        for message in script.messages { try await responses.write(message) }
        if let error = script.error { throw error }
    }

    func getBounds(_ request: GetBoundsRequest, _ context: CallContext) async throws -> GetBoundsResponse {
        GetBoundsResponse(box: state.withLock { $0.box })
    }
}
