import Arguments
import Settings
import PhotoContracts
import Daemon
import EventLoops
import FoundationEssentials
import RPC
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
    let uploads: UploadServiceClient
    let guests: GuestPhotoServiceClient
    let keys: NetworkKeyServiceClient
    let networks: PhotoNetworkServiceClient
    let clusters: ClusterServiceClient
    let store: PhotoStore
    /// Where it keeps the bytes of pictures.
    let blobs: any Blobs
    private let signer: IdentitySigner

    /// Options of a call for some account.
    var options: CallOptions { options(of: "ann") }

    func options(of account: String, roles: Roles = .ofAccounts) -> CallOptions {
        CallOptions(deadline: .now + .seconds(60), signedIdentity: signer.sign(.account(account, roles)))
    }

    /// Options of a call that the pin service makes for some account.
    var peerOptions: CallOptions { peerOptions(of: "ann") }

    /// The same for an account, or for itself.
    func peerOptions(of account: String?) -> CallOptions {
        CallOptions(
            deadline: .now + .seconds(60), signedIdentity: signer.sign(.service("pin-service", for: account)))
    }

    /// Stores a photo and gives it as it is stored.
    func put(_ photo: PhotoContracts.Photo) async throws -> PhotoContracts.Photo? {
        try await photos.putPhoto(PutPhotoRequest(photo: photo), options).photo
    }

    /// Starts the service without its jobs on the database in `folder`, and stops it afterwards.
    static func with<Value>(
        folder: String, settings: DatabaseSettings = DatabaseSettings(), clock: WallClock = .system,
        _ body: (RunningPhotoService) async throws -> Value
    ) async throws -> Value {
        let place = try PostgresServer.place(of: "\(folder)/photos.db")
        var settings = settings
        settings.schema = place.schema
        settings.replica = "one"
        let store = try await PhotoStore.open(place.address, settings: settings, clock: clock)
        let blobs = try DirectoryBlobs(folder: "\(folder)/blobs", blocking: BlockingCalls.ofTested)
        let pictures = PictureStore(
            folder: nil, decoders: try PictureDecoders.ofTested.get(), blobs: blobs, blocking: BlockingCalls.ofTested)
        let links = PictureLinks(tickets: PictureTickets(try #require(key), clock: clock), canMake: { _ in false })
        let photos = PhotoHandler(store: store, pictures: pictures, links: links)
        let uploads = UploadHandler(store: store, pictures: pictures, links: links)
        return try await with(store, blobs, [photos, uploads, AlbumSearchHandler(store)], body) { await store.close() }
    }

    /// The whole service with its jobs: it keeps its data in "data" and takes pictures from "pictures" of `folder`.
    static func working<Value>(
        in folder: String, arguments: [String] = [], clock: WallClock = .system,
        patience: SearchPatience = .long, _ body: (RunningPhotoService) async throws -> Value
    ) async throws -> Value {
        let place = try PostgresServer.place(of: "\(folder)/data/photos.db")
        return try await working(
            folder, "data", place, try S3Server.arguments(folder: folder) + arguments, clock, patience, body)
    }

    /// A replica of the service: it has a data folder of its own, and shares its records, its pictures' bytes and the
    /// folder of pictures with others.
    static func replica<Value>(
        _ name: String, in folder: String, arguments: [String] = [],
        _ body: (RunningPhotoService) async throws -> Value
    ) async throws -> Value {
        let place = try PostgresServer.sharedPlace(of: "\(folder)/photos.db")
        let shared = try S3Server.sharedArguments(folder: folder)
        return try await working(folder, name, place, shared + ["--replica", name] + arguments, .system, .long, body)
    }

    private static func working<Value>(
        _ folder: String, _ data: String, _ place: (address: String, schema: String), _ arguments: [String],
        _ clock: WallClock, _ patience: SearchPatience, _ body: (RunningPhotoService) async throws -> Value
    ) async throws -> Value {
        let common = [Option("--data", "DIR", help: "")]
        let options = try Options(
            common + ServiceSettings.photos.own,
            arguments: [
                "--data", "\(folder)/\(data)", "--pictures", "\(folder)/pictures", "--database", place.address,
                "--database-schema", place.schema,
            ] + arguments,
            // Tests ask for scans themselves.
            environment: ["WAYMARK_PICTURES_EVERY": "0"])
        var config = try Config(options)
        config.searchPatience = patience
        let loop = try EventLoop(name: "photos")
        let host = DecoderHost()
        try host.start()
        let process = try await PhotoProcess(
            config, loop, BlockingCalls.ofTested, host, key: try #require(key), clock: clock)
        return try await with(process.store, process.blobs, process.services, body) {
            process.leave()
            await process.stop()
            loop.shutDown()
        }
    }

    private static func with<Value>(
        _ store: PhotoStore, _ blobs: any Blobs, _ services: [any RPCService],
        _ body: (RunningPhotoService) async throws -> Value, stop: () async -> Void
    ) async throws -> Value {
        let key = try #require(key)
        let result: Result<Value, any Error>
        do {
            let check = IdentityCheck(key)
            let value = try await TestServer.with(Router(services), interceptors: [check]) { server in
                try await server.withClient { client in
                    try await body(
                        RunningPhotoService(
                            photos: PhotoServiceClient(client), search: AlbumSearchServiceClient(client),
                            uploads: UploadServiceClient(client), guests: GuestPhotoServiceClient(client),
                            keys: NetworkKeyServiceClient(client),
                            networks: PhotoNetworkServiceClient(client), clusters: ClusterServiceClient(client),
                            store: store, blobs: blobs, signer: IdentitySigner(key)))
                }
            }
            result = .success(value)
        } catch {
            result = .failure(error)
        }
        await stop()
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
    _ id: String, _ latitude: Double = 1, _ longitude: Double = 2,
    _ change: (inout PhotoContracts.Photo) -> Void = { _ in }
) -> PhotoContracts.Photo {
    var photo = PhotoContracts.Photo(id: id, position: Coordinate(latitude: latitude, longitude: longitude))
    change(&photo)
    return photo
}

extension PhotosNearRequest {
    init(_ latitude: Double, _ longitude: Double, radius: Double? = nil, limit: UInt32? = nil) {
        self.init(centre: Coordinate(latitude: latitude, longitude: longitude), radiusM: radius, limit: limit)
    }
}

extension SearchPatience {
    /// Of tests whose networks answer: as long as it takes on a busy machine.
    static let long = SearchPatience(first: .seconds(50), later: .seconds(50))
}
