import Contracts
import EventLoops
import Files
import FoundationEssentials
import Glibc
import RPC
import Terminal
import ZipFiles

/// An album on its way into an archive.
struct AlbumExport: Sendable {
    /// A photo that is not in the archive, and why.
    struct LeftOut: Encodable, Equatable, Sendable {
        let id: String
        let reason: String
    }

    let subject: String
    let output: OutputFile
    let options: ClientOptions
    let photos: PhotoServiceClient
    let pins: PinServiceClient
    let blocking: BlockingPool

    /// Where pictures are until the archive is written: they need not fit into memory.
    private var folder: String { output.path + ".partial" }

    /// Writes the archive, whole or not at all. `progress` is called with the number of the photo that comes next.
    func run(
        progress: (_ number: Int, _ count: Int) -> Void
    ) async throws -> (manifest: AlbumManifest, leftOut: [LeftOut]) {
        try await blocking.run { [output, folder] in
            try output.check()
            try Self.remove(folder)
            try DiskFile.makeFolder(folder + "/pictures")
        }
        let result: Result<(manifest: AlbumManifest, leftOut: [LeftOut]), any Error>
        do {
            result = .success(try await collect(progress))
        } catch {
            result = .failure(error)
        }
        try await blocking.run { [folder] in try Self.remove(folder) }
        return try result.get()
    }

    private func collect(
        _ progress: (_ number: Int, _ count: Int) -> Void
    ) async throws -> (manifest: AlbumManifest, leftOut: [LeftOut]) {
        let album = try await allPages(GetAlbumRequest(subject: subject)) {
            try await photos.getAlbum($0, options.call)
        }.photos
        let pin = try await archivedPin()
        var (kept, leftOut): ([ArchivedPhoto], [LeftOut]) = ([], [])
        for (index, photo) in album.enumerated() {
            progress(index + 1, album.count)
            do {
                kept.append(try await fetch(photo, number: kept.count + 1))
            } catch let error as RPCError where error.code == .failedPrecondition || error.code == .notFound {
                leftOut.append(LeftOut(id: photo.id, reason: error.message))
            }
        }
        guard !kept.isEmpty else {
            throw CommandFailure(
                album.isEmpty
                    ? "the album has no photos; nothing was written"
                    : "none of its pictures can be had, the first because \(leftOut[0].reason); nothing was written"
                        .printable)
        }
        let page = AttributionPage.html(subject: subject, pin: pin, photos: kept)
        let manifest = AlbumManifest(
            subject: subject, pin: pin, page: ArchivedFile(AlbumManifest.pageName, page), photos: kept)
        try await blocking.run { [self] in try write(manifest, page) }
        return (manifest, leftOut)
    }

    /// Fetches a picture, the file itself of an upload, and stores it in the folder.
    private func fetch(_ photo: Photo, number: Int) async throws -> ArchivedPhoto {
        let isUpload = photo.id.hasPrefix("upload/")
        guard isUpload || !photo.largeUrl.isEmpty else {
            throw RPCError(.failedPrecondition, "it may not be shown, or its picture is not there")
        }
        let request = GetPictureRequest(photoId: photo.id, size: isUpload ? .original : .large)
        let bytes = try await Picture(photos.getPicture(request, options.longCall)).bytes
        let file = ArchivedFile(ArchivedPhoto.name(number, of: photo, bytes), bytes)
        try await blocking.run { [folder] in try DiskFile.create("\(folder)/\(file.name)", with: bytes) }
        return ArchivedPhoto(photo, file)
    }

    private func archivedPin() async throws -> ArchivedPin? {
        guard subject.hasPrefix("pin/") else { return nil }
        let pin = try await pins.getPin(GetPinRequest(id: Subject.pinID(subject)), options.call).pin
        guard let pin, let position = pin.position else { throw CommandFailure("the service answered without a pin") }
        return ArchivedPin(
            name: pin.name, latitude: position.latitude, longitude: position.longitude, radiusM: pin.radiusM)
    }

    /// Blocks.
    private func write(_ manifest: AlbumManifest, _ page: [UInt8]) throws {
        try DiskFile.create("\(folder)/\(AlbumManifest.fileName)", with: try manifest.bytes)
        try DiskFile.create("\(folder)/\(AlbumManifest.pageName)", with: page)
        let archive = try NewZip(replacing: output.path)
        let names = [AlbumManifest.pageName, AlbumManifest.fileName] + manifest.photos.map(\.file.name)
        for name in names { try archive.add(name, file: "\(folder)/\(name)") }
        try archive.write()
        let file = try OpenFile(reading: output.path)
        try syscall("fsync", output.path) { fsync(file.descriptor) }
        try DiskFile.syncFolder(of: output.path)
    }

    /// What an export that was broken off left. Blocks.
    private static func remove(_ folder: String) throws {
        guard DiskFile.isFolder(folder, followsLink: false) else { return }
        try FileManager.default.removeItem(atPath: folder)
    }
}
