import Contracts
import RPC
import TestSupport
import Testing

@Suite("The album of a pin that the photo service does not know yet", .timeLimit(.minutes(3)))
struct ComingAlbumsTests {
    private static let id = "0198a1b2-0000-7000-8000-000000000001"
    private static let unopened = "0198a1b2-0000-7000-8000-000000000002"
    private static let foreign = "0198a1b2-0000-7000-8000-000000000003"
    private static let backends = FakeBackends(kept: [
        "local": [id: Pin(id: id, generation: 1), unopened: Pin(id: unopened)],
        "another": [foreign: Pin(id: foreign, generation: 1)],
    ])

    /// What opening an album answers, and beginning to upload to it.
    private func codes(_ pin: String, closed: Set<String> = []) async throws -> Set<RPCCode?> {
        var codes: Set<RPCCode?> = []
        try await RunningGateway.with(Self.backends, closed: closed) { gateway in
            let (albums, uploads) = (PhotoServiceClient(gateway.client), UploadServiceClient(gateway.client))
            codes.insert(
                try await errorOf { try await albums.openAlbum(OpenAlbumRequest(subject: "pin/\(pin)")) }?.code)
            codes.insert(try await errorOf { try await uploads.startUpload(StartUploadRequest(pinId: pin)) }?.code)
        }
        return codes
    }

    @Test("comes: UNAVAILABLE says to ask again, and not that it is gone")
    func coming() async throws {
        #expect(try await codes(Self.id) == [.unavailable])
    }

    @Test("is NOT_FOUND for pins that there are not, that are another account's, or that were never opened")
    func gone() async throws {
        for pin in [Self.unopened, Self.foreign, "0198a1b2-0000-7000-8000-00000000000f"] {
            #expect(try await codes(pin) == [.notFound])
        }
    }

    @Test("can't be told while the pin service is away")
    func unknown() async throws {
        #expect(try await codes(Self.id, closed: ["pins"]) == [.unavailable])
    }

    @Test("a place that no pin has found is NOT_FOUND")
    func place() async throws {
        try await RunningGateway.with(Self.backends) { gateway in
            let error = try await errorOf {
                try await PhotoServiceClient(gateway.client).openAlbum(OpenAlbumRequest(subject: "place/catalog/1"))
            }
            #expect(error?.code == .notFound)
        }
    }
}
