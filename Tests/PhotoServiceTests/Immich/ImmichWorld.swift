import PhotoContracts
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

/// The photo service, and a simulator of Immich that its operator allows.
struct ImmichWorld {
    static let key = "kQ7vX2pLmN9sT4wY8zB3dF6gH1jK5rC0"

    let service: RunningPhotoService
    let fixture: HTTPFixture
    /// The simulator, as people reach it.
    let url: String

    static func with(
        _ immich: ImmichSimulator, patience: SearchPatience = .long, _ body: (ImmichWorld) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            _ = try PictureFiles(folder)
            try await HTTPFixture.with(immich.answer) { fixture, url in
                let arguments = ["--immich-servers", url, "--immich-rate", "1000"]
                try await RunningPhotoService.working(in: folder, arguments: arguments, patience: patience) { service in
                    try await body(ImmichWorld(service: service, fixture: fixture, url: url))
                }
            }
        }
    }

    @discardableResult
    func setKey(_ key: String = key, server: String = "", of account: String = "ann") async throws
        -> PhotoContracts.NetworkKey
    {
        let request = SetNetworkKeyRequest(network: "immich", server: server, key: key)
        return try #require(try await service.keys.setNetworkKey(request, service.options(of: account)).key)
    }

    func list(of account: String = "ann") async throws -> ListNetworkKeysResponse {
        try await service.keys.listNetworkKeys(ListNetworkKeysRequest(), service.options(of: account))
    }

    /// Makes a pin in Paris, or elsewhere, and waits until its album is full.
    func addPin(
        _ id: String = "p1", _ latitude: Double = 48.8584, _ longitude: Double = 2.2945, of account: String = "ann"
    ) async throws {
        try await search(id, latitude, longitude, of: account)
        if account == "ann" { try await service.watchToEnd("pin/\(id)") }
    }

    /// Asks for the photos of a pin.
    func search(
        _ id: String = "p1", _ latitude: Double = 48.8584, _ longitude: Double = 2.2945, of account: String = "ann"
    ) async throws {
        let request = SearchAlbumsRequest(
            pinId: id, generation: 1, centre: Coordinate(latitude: latitude, longitude: longitude), radiusM: 500,
            isLast: true)
        _ = try await service.search.searchAlbums(request, service.peerOptions(of: account))
    }

    /// Has everything asked again that a search wants to know.
    func forgetAreas() async throws {
        try await service.store.write { transaction throws(SQLError) in
            try transaction.execute("UPDATE grid_cells SET expires_ms = 1")
        }
    }

    /// The numbers of an album's photos, in order.
    func numbers(_ subject: String = "pin/p1") async throws -> [Int] {
        try await service.album(subject).photos.compactMap { Int($0.id.suffix(12)) }
    }
}
