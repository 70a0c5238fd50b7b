import Contracts
import RPC
import ServiceRuntime

/// Answers calls about pins. Everything is asked for and done in the name of the call's account.
struct PinHandler: Contracts.PinService {
    private let store: PinStore
    private let clock: WallClock

    init(_ store: PinStore, clock: WallClock) {
        self.store = store
        self.clock = clock
    }

    func createPin(_ request: CreatePinRequest, _ context: CallContext) async throws -> CreatePinResponse {
        let (account, draft) = (try context.account, try PinDraft(request))
        let now = clock.unixMilliseconds
        let pin = Pin(draft, id: .make(unixMilliseconds: now), unixMilliseconds: now)
        try await store.insert(pin, of: account, deadline: context.storageDeadline)
        return CreatePinResponse(pin: Contracts.Pin(pin))
    }

    func getPin(_ request: GetPinRequest, _ context: CallContext) async throws -> GetPinResponse {
        let (account, id) = (try context.account, try PinID(request: request.id))
        guard let pin = try await store.pin(id, of: account, deadline: context.storageDeadline) else {
            throw PinError.notFound(id)
        }
        return GetPinResponse(pin: Contracts.Pin(pin))
    }

    func pinsNear(_ request: PinsNearRequest, _ context: CallContext) async throws -> PinsNearResponse {
        let (account, query) = (try context.account, try NearQuery(request))
        let found = try await store.near(query, of: account, deadline: context.storageDeadline)
        return PinsNearResponse(found)
    }
}
