import Contracts
import RPC

// Calls that are not answered yet.

extension PhotoHandler {
    private func pending() -> RPCError { RPCError(.unimplemented, "this call is not answered yet") }

    func getPicture(
        _ request: GetPictureRequest, _ responses: ResponseWriter<GetPictureResponse>, _ context: CallContext
    ) async throws { throw pending() }

    func scanPictures(
        _ request: ScanPicturesRequest, _ responses: ResponseWriter<ScanPicturesResponse>, _ context: CallContext
    ) async throws { throw pending() }
}
