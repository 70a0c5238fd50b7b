import Contracts
import RPC

// Calls that are not answered yet.

extension PinHandler {
    private func pending() -> RPCError { RPCError(.unimplemented, "this call is not answered yet") }

    func listPins(_ request: ListPinsRequest, _ context: CallContext) async throws -> ListPinsResponse {
        throw pending()
    }

    func movePin(_ request: MovePinRequest, _ context: CallContext) async throws -> MovePinResponse { throw pending() }

    func renamePin(_ request: RenamePinRequest, _ context: CallContext) async throws -> RenamePinResponse {
        throw pending()
    }

    func deletePin(_ request: DeletePinRequest, _ context: CallContext) async throws -> DeletePinResponse {
        throw pending()
    }

    func listPinPlaces(
        _ request: ListPinPlacesRequest, _ context: CallContext
    ) async throws -> ListPinPlacesResponse { throw pending() }

    func watchPin(
        _ request: WatchPinRequest, _ responses: ResponseWriter<WatchPinResponse>, _ context: CallContext
    ) async throws { throw pending() }

    func setPinSpan(_ request: SetPinSpanRequest, _ context: CallContext) async throws -> SetPinSpanResponse {
        throw pending()
    }

    func getMapRegion(_ request: GetMapRegionRequest, _ context: CallContext) async throws -> GetMapRegionResponse {
        throw pending()
    }

    func setMapRegion(_ request: SetMapRegionRequest, _ context: CallContext) async throws -> SetMapRegionResponse {
        throw pending()
    }

    func getBounds(_ request: GetBoundsRequest, _ context: CallContext) async throws -> GetBoundsResponse {
        throw pending()
    }
}
