import Contracts
import RPC

/// Changes that are repeated, under the same name, until they are acknowledged.
extension RunningSystem {
    var pins: PinServiceClient { PinServiceClient(client) }
    var albums: PhotoServiceClient { PhotoServiceClient(client) }

    func create(_ request: CreatePinRequest) async throws -> Pin {
        try await answered("CreatePin") { try await pins.createPin(request, $0) }.pin ?? Pin()
    }

    func move(_ request: MovePinRequest) async throws -> Pin {
        try await answered("MovePin") { try await pins.movePin(request, $0) }.pin ?? Pin()
    }

    func rename(_ request: RenamePinRequest) async throws -> Pin {
        try await answered("RenamePin") { try await pins.renamePin(request, $0) }.pin ?? Pin()
    }

    func delete(_ request: DeletePinRequest) async throws {
        _ = try await answered("DeletePin") { try await pins.deletePin(request, $0) }
    }

    func remove(_ request: RemovePhotosRequest) async throws {
        _ = try await answered("RemovePhotos") { try await albums.removePhotos(request, $0) }
    }

    func restore(_ request: RestorePhotosRequest) async throws {
        _ = try await answered("RestorePhotos") { try await albums.restorePhotos(request, $0) }
    }

    func newCollection(_ request: NewCollectionRequest) async throws -> Album {
        try await answered("NewCollection") { try await albums.newCollection(request, $0) }.album ?? Album()
    }

    /// Lets the photo service look through its folder.
    func scan() async throws {
        try await answered("ScanPictures") { options in
            for try await _ in albums.scanPictures(ScanPicturesRequest(), options) {}
        }
    }
}
