import AlbumArchive
import Arguments
import Contracts
import EventLoops
import RPC
import Terminal

/// An archive on its way into a pin's album. What was brought before, perhaps by a command that was broken off, is not
/// sent again.
struct AlbumImport: Sendable {
    /// What became of it.
    struct Report: Encodable, Equatable, Sendable {
        let pin: String
        /// Photos that were uploaded now.
        var added = 0
        /// Photos that the account had uploaded before.
        var known = 0
    }

    let path: String
    let manifest: AlbumManifest
    let options: ClientOptions
    let link: TargetLink

    /// Brings all photos. `progress` is called with the number of the photo that comes next.
    /// - Parameter named: the id of the pin whose album gets them; empty for the pin that the manifest describes.
    func run(
        into named: String, progress: (_ number: Int, _ count: Int) -> Void
    ) async throws -> Report {
        var report = Report(pin: named.isEmpty ? try await pin() : named)
        try await waitForAlbum(of: report.pin)
        let sender = PhotoSender(pin: report.pin, uploads: UploadServiceClient(link.client), options: options)
        for (index, photo) in manifest.photos.enumerated() {
            progress(index + 1, manifest.photos.count)
            let isKnown = try await send(photo, sender)
            if isKnown { report.known += 1 } else { report.added += 1 }
        }
        return report
    }

    private func send(_ photo: ArchivedPhoto, _ sender: PhotoSender) async throws -> Bool {
        let bytes = try await link.blocking.run { [path] in try ArchiveCheck.bytes(of: photo.file, in: path) }
        do {
            return try await sender.send(photo.file.sha256, photo.file.byteCount, photo.record) { offset in
                Array(bytes.dropFirst(Int(clamping: offset)).prefix(PhotoSender.partBytes))
            }.isKnown
        } catch let error as RPCError {
            throw RPCError(error.code, "\(photo.file.name): \(error.message)", details: error.details)
        }
    }

    /// The pin that the manifest describes: one of that name at that point, else a new one. The name of the change
    /// is that of the archive, so that a command that is repeated makes no second one.
    private func pin() async throws -> String {
        guard let wanted = manifest.pin else {
            throw UsageError("the archive is of a place; --pin PIN names the pin whose album gets its photos")
        }
        let pins = PinServiceClient(link.client)
        if let known = try await PinReference.all(pins, options).first(where: wanted.describes) { return known.id }
        let request = CreatePinRequest(
            position: Coordinate(latitude: wanted.latitude, longitude: wanted.longitude), radiusM: wanted.radiusM,
            name: wanted.name, requestId: Picture.digest(try manifest.bytes))
        guard let made = try await pins.createPin(request, options.call).pin else {
            throw CommandFailure("the service answered without a pin")
        }
        return made.id
    }

    /// The photo service hears of a new pin a moment later.
    private func waitForAlbum(of pin: String) async throws {
        let request = WatchAlbumRequest(subject: "pin/\(pin)")
        for try await _ in PhotoServiceClient(link.client).watchAlbum(request, options.call) { return }
    }
}

extension ArchivedPin {
    /// Positions are kept to 1e-7 degrees.
    fileprivate func describes(_ pin: Pin) -> Bool {
        guard let position = pin.position, pin.name == name else { return false }
        return abs(position.latitude - latitude) < 1e-7 && abs(position.longitude - longitude) < 1e-7
    }
}
