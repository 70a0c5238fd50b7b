import Fakes
import Contracts
import RPC
import Synchronization
import TestSupport
import Wire

/// Places with a star, in memory.
final class FakeStars: StarServiceFake, Sendable {
    private let places = Mutex<[StarredPlace]>([])

    func starPlace(_ request: StarPlaceRequest, _ context: CallContext) async throws -> StarPlaceResponse {
        let place = request.place ?? StarredPlace()
        places.withLock { $0.insert(place, at: 0) }
        return StarPlaceResponse(place: place)
    }

    func unstarPlace(_ request: UnstarPlaceRequest, _ context: CallContext) async throws -> UnstarPlaceResponse {
        places.withLock { places in
            let before = places.count
            places.removeAll { $0.id == request.id }
            return UnstarPlaceResponse(hadStar: places.count < before)
        }
    }

    /// One place a page.
    func listStars(_ request: ListStarsRequest, _ context: CallContext) async throws -> ListStarsResponse {
        let places = places.withLock { $0 }
        let index = Int(request.pageToken) ?? 0
        guard places.indices.contains(index) else { return ListStarsResponse() }
        return ListStarsResponse(
            places: [places[index]], nextPageToken: index + 1 < places.count ? "\(index + 1)" : "")
    }
}
