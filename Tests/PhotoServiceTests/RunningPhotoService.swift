import Contracts
import EventLoops
import FoundationEssentials
import RPC
import ServiceRuntime
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

/// The service on a real socket with a real database, and a client for it.
struct RunningPhotoService {
    static let key = DeploymentKey(bytes: (0..<32).map { UInt8($0) })

    let photos: PhotoServiceClient
    let search: AlbumSearchServiceClient
    let store: PhotoStore
    private let signer: IdentitySigner

    /// Options of a call for some account.
    var options: CallOptions { options(of: "ann") }

    func options(of account: String) -> CallOptions {
        CallOptions(deadline: .now + .seconds(60), signedIdentity: signer.sign(account))
    }

    /// Stores a photo and gives it as it is stored.
    func put(_ photo: Contracts.Photo) async throws -> Contracts.Photo? {
        try await photos.putPhoto(PutPhotoRequest(photo: photo), options).photo
    }

    /// Starts the service on the database in `folder`, and stops it afterwards.
    static func with<Value>(
        folder: String, settings: DatabaseSettings = DatabaseSettings(), clock: WallClock = .system,
        _ body: (RunningPhotoService) async throws -> Value
    ) async throws -> Value {
        let key = try #require(key)
        let store = try await PhotoStore.open("\(folder)/photos.db", settings: settings, clock: clock)
        let result: Result<Value, any Error>
        do {
            let router = Router([PhotoHandler(store), AlbumSearchHandler(store)])
            let check = IdentityCheck(key, openServices: [])
            let value = try await TestServer.with(router, interceptors: [check]) { server in
                try await server.withClient { client in
                    try await body(
                        RunningPhotoService(
                            photos: PhotoServiceClient(client), search: AlbumSearchServiceClient(client), store: store,
                            signer: IdentitySigner(key)))
                }
            }
            result = .success(value)
        } catch {
            result = .failure(error)
        }
        await store.close()
        return try result.get()
    }

    /// The same in a folder of its own.
    static func with(
        settings: DatabaseSettings = DatabaseSettings(), clock: WallClock = .system,
        _ body: (RunningPhotoService) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { try await with(folder: $0, settings: settings, clock: clock, body) }
    }
}

/// The record of a photo without anything that may be left out.
func photo(
    _ id: String, _ latitude: Double = 1, _ longitude: Double = 2, _ change: (inout Contracts.Photo) -> Void = { _ in }
) -> Contracts.Photo {
    var photo = Contracts.Photo(id: id, position: Coordinate(latitude: latitude, longitude: longitude))
    change(&photo)
    return photo
}

extension PhotosNearRequest {
    init(_ latitude: Double, _ longitude: Double, radius: Double? = nil, limit: UInt32? = nil) {
        self.init(centre: Coordinate(latitude: latitude, longitude: longitude), radiusM: radius, limit: limit)
    }
}
