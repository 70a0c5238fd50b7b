import AlbumArchive
import Contracts
import HTTP

/// A download whose first picture is there.
struct BegunDownload: Sendable {
    let download: AlbumDownload
    let pin: ArchivedPin
    let archive: GrowingArchive
    let first: MeasuredPicture
    /// The photos behind the first.
    let rest: ArraySlice<Photo>

    /// Sends the archive, as fast as the client takes it: picture after picture, then all that says what they are.
    func write(_ writer: HTTPBodyWriter) async throws {
        var archive = archive
        try await send(first, &archive, writer)
        for photo in rest {
            guard let picture = try await download.measure(photo, for: &archive) else { continue }
            try await send(picture, &archive, writer)
        }
        try await writer.write(archive.end(subject: download.subject, pin: pin).bytes)
    }

    private func send(
        _ picture: MeasuredPicture, _ archive: inout GrowingArchive, _ writer: HTTPBodyWriter
    ) async throws {
        try await writer.write(archive.add(picture.photo, picture.notes))
        try await download.send(picture, writer)
    }
}
