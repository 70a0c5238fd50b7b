import Contracts
import RPC
import Synchronization
import Wire

/// Keeps pins.
final class FakePins: PinService {
    private let pins = Mutex<[Pin]>([])

    func createPin(_ request: CreatePinRequest, _ context: CallContext) async throws -> CreatePinResponse {
        let pin = Pin(
            id: "018f", name: request.name, position: request.position, radiusM: request.radiusM ?? 1000, state: .new)
        pins.withLock { $0.append(pin) }
        return CreatePinResponse(pin: pin)
    }

    func getPin(_ request: GetPinRequest, _ context: CallContext) async throws -> GetPinResponse {
        throw RPCError(.notFound, "no pin \(request.id)")
    }

    func pinsNear(_ request: PinsNearRequest, _ context: CallContext) async throws -> PinsNearResponse {
        PinsNearResponse(pins: pins.withLock { $0 })
    }
}

/// Keeps photos.
final class FakePhotos: PhotoService {
    private let photos = Mutex<[Photo]>([])

    func putPhoto(_ request: PutPhotoRequest, _ context: CallContext) async throws -> PutPhotoResponse {
        photos.withLock { photos in if let photo = request.photo { photos.append(photo) } }
        return PutPhotoResponse(photo: request.photo)
    }

    func photosNear(_ request: PhotosNearRequest, _ context: CallContext) async throws -> PhotosNearResponse {
        PhotosNearResponse(photos: photos.withLock { $0 })
    }
}

/// Places are found, pins there are none, photos failed.
struct FakeExplore: ExploreService {
    func explore(_ request: ExploreRequest, _ context: CallContext) async throws -> Packed<ExploreResponse> {
        let response = ExploreResponse(
            places: Array(FakePlaces.street.prefix(Int(request.limit ?? 20))),
            branches: [
                Branch(name: "places", count: 10, elapsed: DurationMessage(.milliseconds(3)), truncated: true),
                Branch(name: "pins", elapsed: DurationMessage(.milliseconds(1))),
                Branch(
                    name: "photos", code: 14, message: "photos are down", elapsed: DurationMessage(.milliseconds(12))),
            ],
            elapsed: DurationMessage(.milliseconds(13)))
        return Packed(response)
    }
}

/// Answers what it is sent.
struct FakeEcho: EchoService {
    func echo(_ request: EchoRequest, _ context: CallContext) async throws -> EchoResponse {
        EchoResponse(payload: request.payload)
    }

    func echoStream(
        _ request: EchoStreamRequest, _ responses: ResponseWriter<EchoStreamResponse>, _ context: CallContext
    ) async throws {
        for index in 0..<request.count {
            try await responses.write(EchoStreamResponse(payload: request.payload, index: index))
        }
    }
}
