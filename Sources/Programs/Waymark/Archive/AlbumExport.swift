import AlbumArchive
import Bytes
import Contracts
import EventLoops
import RPC
import Terminal

/// An album on its way into an archive.
struct AlbumExport: Sendable {
    let subject: String
    let output: OutputFile
    let options: ClientOptions
    let photos: PhotoServiceClient
    let pins: PinServiceClient
    let blocking: BlockingPool

    /// Writes the archive, whole or not at all. `progress` is called with the number of the photo that comes next.
    func run(progress: (_ number: Int, _ count: Int) -> Void) async throws -> AlbumManifest {
        try await blocking.run { [output] in try output.check() }
        let album = try await allPages(GetAlbumRequest(subject: subject)) {
            try await photos.getAlbum($0, options.call)
        }.photos
        let pin = try await archivedPin()
        var draft = try await blocking.run { [output] in try ArchiveDraft(of: output) }
        do {
            let manifest = try await write(album, pin, into: &draft, progress)
            try await blocking.run { [draft] in try draft.keep() }
            return manifest
        } catch {
            try await blocking.run { [draft] in try draft.drop() }
            throw error
        }
    }

    private func write(
        _ album: [Photo], _ pin: ArchivedPin?, into draft: inout ArchiveDraft,
        _ progress: (_ number: Int, _ count: Int) -> Void
    ) async throws -> AlbumManifest {
        var archive = GrowingArchive()
        for (index, photo) in album.enumerated() {
            progress(index + 1, album.count)
            do {
                let request = try GetPictureRequest(archiving: photo)
                let picture = try await Picture(photos.getPicture(request, options.longCall)).bytes
                try await draft.write(archive.add(photo, FileNotes(picture)) + picture, on: blocking)
            } catch let error as RPCError where error.leavesOutPicture {
                archive.leaveOut(photo, error.message)
            }
        }
        guard !archive.photos.isEmpty else {
            throw CommandFailure(
                archive.leftOut.first.map {
                    "none of its pictures can be had, the first because \($0.reason); nothing was written".printable
                } ?? "the album has no photos; nothing was written")
        }
        let end = try archive.end(subject: subject, pin: pin)
        try await draft.write(end.bytes, on: blocking)
        return end.manifest
    }

    private func archivedPin() async throws -> ArchivedPin? {
        guard subject.begins(with: "pin/") else { return nil }
        let pin = try await pins.getPin(GetPinRequest(id: Subject.pinID(subject)), options.call).pin
        guard let archived = pin.flatMap(ArchivedPin.init) else {
            throw CommandFailure("the service answered without a pin")
        }
        return archived
    }
}
