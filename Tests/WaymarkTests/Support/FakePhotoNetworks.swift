import Fakes
import Contracts
import RPC
import Synchronization
import TestSupport
import Wire

/// Two networks of photos, of which one is left alone.
final class FakePhotoNetworks: PhotoNetworkServiceFake {
    let switched = Mutex<[SwitchPhotoNetworkRequest]>([])

    func listPhotoNetworks(
        _ request: ListPhotoNetworksRequest, _ context: CallContext
    ) async throws -> ListPhotoNetworksResponse {
        ListPhotoNetworksResponse(networks: [
            NetworkInfo(
                name: "commons", live: true, gives: ["photos"], available: true, needsContact: true, dailyLimit: 9),
            NetworkInfo(
                name: "foursquare", on: true, live: true, gives: ["photos"], available: true, requestsToday: 101,
                dailyLimit: 100, pausedUntil: TimestampMessage(unixSeconds: 1_700_000_000),
                pauseReason: "today's 100 requests are used up"),
        ])
    }

    func switchPhotoNetwork(
        _ request: SwitchPhotoNetworkRequest, _ context: CallContext
    ) async throws -> SwitchPhotoNetworkResponse {
        guard !request.on || request.network != "commons" || !request.contact.isEmpty else {
            throw RPCError(.failedPrecondition, "contact: it is missing")
        }
        switched.withLock { $0.append(request) }
        return SwitchPhotoNetworkResponse(
            network: NetworkInfo(
                name: request.network, on: request.on, live: true, gives: ["photos"], available: true,
                sends: "It learns more squares."))
    }
}
