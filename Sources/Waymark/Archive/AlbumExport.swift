import AlbumArchive
import Contracts
import EventLoops
import Files
import Glibc
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
        var draft = try await blocking.run { [output] in try DraftFile(of: output) }
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
        _ album: [Photo], _ pin: ArchivedPin?, into draft: inout DraftFile,
        _ progress: (_ number: Int, _ count: Int) -> Void
    ) async throws -> AlbumManifest {
        var archive = GrowingArchive()
        for (index, photo) in album.enumerated() {
            progress(index + 1, album.count)
            do {
                let request = try GetPictureRequest(archiving: photo)
                let picture = try await Picture(photos.getPicture(request, options.longCall)).bytes
                try await add(archive.add(photo, FileNotes(picture)) + picture, to: &draft)
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
        try await add(end.bytes, to: &draft)
        return end.manifest
    }

    private func add(_ bytes: [UInt8], to draft: inout DraftFile) async throws {
        draft = try await blocking.run { [draft] in
            var draft = draft
            try draft.write(bytes)
            return draft
        }
    }

    private func archivedPin() async throws -> ArchivedPin? {
        guard subject.hasPrefix("pin/") else { return nil }
        let pin = try await pins.getPin(GetPinRequest(id: Subject.pinID(subject)), options.call).pin
        guard let archived = pin.flatMap(ArchivedPin.init) else {
            throw CommandFailure("the service answered without a pin")
        }
        return archived
    }
}

/// A file beside the one that it replaces when it is whole. All of it blocks.
private struct DraftFile: Sendable {
    private let output: OutputFile
    private let file: Descriptor
    private var count = 0

    private var path: String { output.path + ".partial" }

    init(of output: OutputFile) throws(SystemError) {
        self.output = output
        let path = output.path + ".partial"
        // Of a command that was broken off.
        try DiskFile.remove(path)
        file = try Descriptor.appending(to: path)
    }

    mutating func write(_ bytes: [UInt8]) throws(SystemError) {
        try DiskFile.writeAll(bytes, to: file.number, at: count, path)
        count += bytes.count
    }

    func keep() throws {
        try output.check()
        try syscall("fchmod", path) { fchmod(file.number, 0o644) }
        try syscall("fsync", path) { fsync(file.number) }
        try DiskFile.rename(path, to: output.path)
        try DiskFile.syncFolder(of: output.path)
    }

    func drop() throws(SystemError) { try DiskFile.remove(path) }
}
