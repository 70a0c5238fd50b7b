import Fakes
import PhotoContracts
import RPC
import Synchronization
import TestSupport

/// The networks of photos that a test configures.
final class ScriptedPhotoNetworks: PhotoNetworkServiceFake {
    /// Their names; nil when the service can't say.
    let names = Mutex<[String]?>(["commons", "folder"])

    func listPhotoNetworks(
        _: ListPhotoNetworksRequest, _: CallContext
    ) async throws -> ListPhotoNetworksResponse {
        guard let names = names.withLock({ $0 }) else { throw RPCError(.unavailable, "the photo service is away") }
        return ListPhotoNetworksResponse(
            networks: names.map { NetworkInfo(name: $0, on: true, available: true) }
                + [NetworkInfo(name: "flickr", message: "photo-service --flickr-key KEY")])
    }
}
