import Contracts
import Synchronization
import Testing

@testable import Waymark

@Suite("P17 P20 P21 P39 waymark album")
struct AlbumCommandTests {
    private let gateway = TestGateway()
    private let subject = "pin/\(Sample.pinID)"

    private func keep(_ summary: AlbumSummary, removed: UInt32 = 0, _ photos: Photo...) {
        gateway.photos.state.withLock {
            $0.album = Album(subject: subject, summary: summary, removedCount: removed)
            $0.albumPhotos = photos
        }
    }

    @Test(
        "an album is named by its subject, the id of a pin or the id of a place",
        arguments: [
            (Sample.pinID, "pin/\(Sample.pinID)"), (Sample.pinID.uppercased(), "pin/\(Sample.pinID)"),
            ("pin/anything", "pin/anything"), ("catalog/helsinki/node/1", "place/catalog/helsinki/node/1"),
            ("place/catalog/x/1", "place/catalog/x/1"),
        ])
    func subjects(text: String, subject: String) throws { #expect(try Subject(text).description == subject) }

    @Test("what can be no album is refused with what is allowed", arguments: [""])
    func noSubject(text: String) async {
        let (code, screen) = await CommandLineRunner(target: "")("album", "show", text)
        #expect(code == .usage)
        #expect(screen.messages.hasPrefix("waymark: ALBUM is \(text), allowed is the id of a pin or a place"))
    }

    @Test("show puts the pages together under the album's state")
    func show() async throws {
        var failed = Sample.photo(2, .failed)
        failed.failure = "the file was deleted"
        keep(Sample.summary(.completeWithErrors, 1, of: 2, failed: 1), removed: 3, Sample.photo(1), failed)
        try await gateway.run { run in
            let (_, screen) = await run("album", "show", Sample.pinID)
            #expect(
                screen.lines == [
                    "\(subject)  complete with errors", "  ████████████××××××××××××  1 of 2 pictures, 1 failed",
                    "  3 removed; waymark album restore brings them back", "",
                    "STATE                         TITLE    ID", "ready                         Photo 1  folder/1.jpg",
                    "failed: the file was deleted  Photo 2  folder/2.jpg",
                ])
        }
        #expect(gateway.photos.state.withLock { $0.shown.map(\.pageToken) } == ["", "1"])
    }

    @Test("show --removed asks for the removed photos")
    func removedPhotos() async throws {
        keep(Sample.summary(.empty))
        try await gateway.run { run in
            let (_, screen) = await run("album", "show", Sample.pinID, "--removed")
            #expect(screen.lines.last == "No photo was removed.")
        }
        #expect(gateway.photos.state.withLock { $0.shown.map(\.removed) } == [true])
    }

    @Test("open shows what is there")
    func open() async throws {
        keep(Sample.summary(.downloading, 0, of: 1), Sample.photo(1, .waiting))
        try await gateway.run { run in
            let (_, screen) = await run("album", "open", "catalog/helsinki/node/1")
            #expect(screen.lines.first == "\(subject)  downloading")
            #expect(screen.lines.last == "waiting  Photo 1  folder/1.jpg")
        }
    }

    @Test("new says how to watch what comes")
    func new() async throws {
        keep(Sample.summary(.searching))
        try await gateway.run { run in
            let (_, screen) = await run(
                "album", "new", Sample.pinID, "--size", "12", "--include-removed", "--request-id", "n1")
            #expect(screen.lines.last == "waymark album watch \(subject) shows its progress.")
        }
        #expect(
            gateway.photos.state.withLock { $0.renewed } == [
                NewCollectionRequest(subject: subject, size: 12, includeRemoved: true, requestId: "n1")
            ])
    }

    @Test("remove takes several photos, restore any number of them")
    func removeAndRestore() async throws {
        try await gateway.run { run in
            let (_, done) = await run(
                "album", "remove", Sample.pinID, "folder/1", "folder/2", "--request-id", "r1")
            #expect(done.lines.last == "Undo: waymark album restore pin/\(Sample.pinID) folder/1 folder/2")
            _ = await run("album", "restore", Sample.pinID, "--request-id", "r2")
            _ = await run("album", "restore", Sample.pinID, "folder/1", "--request-id", "r3")
            let (code, screen) = await run("album", "remove", Sample.pinID)
            #expect(code == .usage)
            #expect(screen.messages.hasPrefix("waymark: PHOTO is missing: the photo's id\n"))
        }
        let (removed, restored) = gateway.photos.state.withLock { ($0.removed, $0.restored) }
        #expect(
            removed == [
                RemovePhotosRequest(subject: subject, photoIds: ["folder/1", "folder/2"], requestId: "r1")
            ])
        #expect(restored.map(\.photoIds) == [[], ["folder/1"]])
    }

    @Test("watch ends when all pictures are there")
    func watch() async throws {
        let states = [Sample.summary(.downloading, 0, of: 2), Sample.summary(.complete, 2, of: 2)]
        gateway.photos.state.withLock { [subject] in
            $0.watch = states.enumerated().map { index, summary in
                WatchAlbumResponse(
                    album: Album(subject: subject, summary: summary, version: UInt64(index + 1)))
            }
        }
        try await gateway.run { run in
            let (code, screen) = await run("album", "watch", Sample.pinID)
            #expect(code == .success)
            #expect(
                screen.lines == [
                    "\(subject) downloading: 0 of 2 pictures", "\(subject) complete: 2 of 2 pictures",
                ])
        }
        #expect(
            gateway.photos.state.withLock { $0.watched } == [WatchAlbumRequest(subject: subject)])
    }

    @Test("watch reports that an album was deleted, and fails")
    func gone() async throws {
        gateway.photos.state.withLock { [subject] in
            $0.watch = [WatchAlbumResponse(album: Album(subject: subject), deleted: true)]
        }
        try await gateway.run { run in
            let (code, screen) = await run("album", "watch", Sample.pinID)
            #expect(code == .failure)
            #expect(screen.lines == ["\(subject): the album was deleted"])
        }
    }
}
