import PhotoContracts
import RPC
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P21 Photos can be taken out of an album and brought back")
struct RemovalTests {
    private typealias Part = AlbumSearchTests

    private func filled(_ service: RunningPhotoService) async throws {
        try await service.addFolderPhotos(4)
        _ = try await service.search.searchAlbums(Part.part(places: [Part.place("catalog/a")]), service.peerOptions)
        try await service.finishSearches()
    }

    private func remove(
        _ numbers: [Int], _ service: RunningPhotoService, from subject: String = "pin/p1", of account: String = "ann",
        id: String = ""
    ) async throws -> PhotoContracts.Album? {
        let request = RemovePhotosRequest(subject: subject, photoIds: ids(numbers), requestId: id)
        return try await service.photos.removePhotos(request, service.options(of: account)).album
    }

    private func restore(
        _ numbers: [Int], _ service: RunningPhotoService, to subject: String = "pin/p1", of account: String = "ann"
    ) async throws -> PhotoContracts.Album? {
        let request = RestorePhotosRequest(subject: subject, photoIds: ids(numbers))
        return try await service.photos.restorePhotos(request, service.options(of: account)).album
    }

    @Test("the rest close the gap; each comes back to where it was, also after a restart")
    func order() async throws {
        try await TemporaryFolder.with { folder in
            try await RunningPhotoService.with(folder: folder) { service in
                try await filled(service)
                let album = try await remove([2, 3], service)
                #expect(album?.summary?.photoCount == 2)
                #expect(album?.removedCount == 2)
            }
            try await RunningPhotoService.with(folder: folder) { service in
                #expect(try await service.album("pin/p1").photos.map(\.id) == ids([1, 4]))
                let hidden = GetAlbumRequest(subject: "pin/p1", removed: true)
                #expect(try await service.photos.getAlbum(hidden, service.options).photos.map(\.id) == ids([2, 3]))
                _ = try await restore([3], service)
                #expect(try await service.album("pin/p1").photos.map(\.id) == ids([1, 3, 4]))
                #expect(try await restore([], service)?.removedCount == 0)
                #expect(try await service.album("pin/p1").photos.map(\.id) == ids(1...4))
            }
        }
    }

    @Test("a search that runs again, or a move, does not bring them back")
    func stayAway() async throws {
        try await RunningPhotoService.with { service in
            try await filled(service)
            _ = try await remove([1, 2, 3, 4], service)
            for generation in [1, 2] {
                _ = try await service.search.searchAlbums(
                    Part.part(generation: UInt64(generation)), service.peerOptions)
                try await service.finishSearches()
                #expect(try await service.album("pin/p1").album?.summary == AlbumSummary(state: .empty))
            }
        }
    }

    @Test("in a place's album only for the account that removed them")
    func place() async throws {
        try await RunningPhotoService.with { service in
            try await filled(service)
            let bobs = Part.part("p2", places: [Part.place("catalog/a")])
            _ = try await service.search.searchAlbums(bobs, service.peerOptions(of: "bob"))
            let place = "place/catalog/a"
            let mine = try await remove([1], service, from: place)
            #expect([mine?.summary?.photoCount, mine?.removedCount] == [3, 1])
            let others = try await service.album(place, of: "bob")
            #expect([others.album?.summary?.photoCount, others.album?.removedCount] == [4, 0])
            #expect(others.photos.map(\.id) == ids(1...4))
            _ = try await restore([], service, to: place)
            #expect(try await service.album(place).photos.map(\.id) == ids(1...4))
        }
    }

    @Test("one that is not in the album: nothing is removed")
    func strange() async throws {
        try await RunningPhotoService.with { service in
            try await filled(service)
            let error = try await errorOf { try await remove([1, 9], service) }
            #expect(error?.code == .notFound)
            #expect(try await service.album("pin/p1").photos.count == 4)
            let back = try await errorOf { try await restore([9], service) }
            #expect(back?.code == .notFound)
        }
    }

    @Test("asked for again under the same name, the first answer")
    func again() async throws {
        try await RunningPhotoService.with { service in
            try await filled(service)
            let first = try await remove([1], service, id: "x")
            _ = try await restore([], service)
            #expect(try await remove([1], service, id: "x") == first)
            #expect(try await service.album("pin/p1").photos.count == 4)
        }
    }

    @Test("bad input is refused with the field's name")
    func badInput() async throws {
        try await RunningPhotoService.with { service in
            for (subject, photos, field) in [
                ("pin/p1", [], "photo_ids"), ("pin/p1", ["x"], "photo_ids[0]"), ("nobody", ids([1]), "subject"),
                ("pin/p1", ids(1...251), "photo_ids"),
            ] {
                let request = RemovePhotosRequest(subject: subject, photoIds: photos)
                let error = try await errorOf { try await service.photos.removePhotos(request, service.options) }
                #expect(error?.code == .invalidArgument)
                #expect(error?.message.hasPrefix("\(field): ") == true)
            }
        }
    }
}
