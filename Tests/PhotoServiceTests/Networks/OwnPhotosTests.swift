import PhotoContracts
import HTTP
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

/// Everything that an account can ask, of a service where another has a pin and of one where nobody has.
@Suite("P32 P70 What a network gave for one account's pin shows no other where it is", .timeLimit(.minutes(2)))
struct OwnPhotosTests {
    private static let centre = Coordinate(latitude: 48.8584, longitude: 2.2945)

    /// Runs the service with a Commons of two files, and a picture in the folder.
    private func with(_ body: (RunningPhotoService, HTTPFixture) async throws -> Void) async throws {
        let commons = CommonsFixture([.init(id: 1, title: "File:Old bridge.jpg"), .init(id: 2, latitude: 48.8590)])
        try await TemporaryFolder.with { folder in
            try await HTTPFixture.with(commons.answer) { fixture, url in
                let arguments = [
                    "--commons-url", "\(url)/w/api.php", "--commons-files", "\(url)/files", "--contact", "a@b.example",
                    "--commons-rate", "1000",
                ]
                try await RunningPhotoService.working(in: folder, arguments: arguments) { service in
                    try await body(service, fixture)
                }
            }
        }
    }

    private func addPin(
        _ id: String, of account: String, asking networks: [String]? = nil, _ service: RunningPhotoService
    ) async throws {
        let request = SearchAlbumsRequest(
            pinId: id, generation: 1, centre: Self.centre, radiusM: 500,
            places: [PlacePoint(id: "catalog/city/1", position: Self.centre)], isLast: true,
            networkChoice: networks.map { PhotoContracts.NetworkChoice(networks: $0, version: 1) })
        _ = try await service.search.searchAlbums(request, service.peerOptions(of: account))
        let final: [BaseContracts.AlbumState] = [.complete, .completeWithErrors, .empty, .failed]
        let watch = WatchAlbumRequest(subject: "pin/\(id)")
        for try await answer in service.photos.watchAlbum(watch, service.options(of: account)) {
            if let state = answer.album?.summary?.state, final.contains(state) { break }
        }
    }

    private func seen(by account: String, _ service: RunningPhotoService) async throws -> [String] {
        let options = service.options(of: account)
        let near = try await service.photos.photosNear(
            PhotosNearRequest(centre: Self.centre, radiusM: 1_000, limit: 100), options)
        let named = try await service.photos.photosNear(
            PhotosNearRequest(centre: Self.centre, radiusM: 1_000, limit: 100, networks: ["commons"]), options)
        var seen = [near, named].map { answer in "\(answer.truncated) \(answer.photos.map(\.id).sorted())" }
        for id in ["commons/1", "commons/7"] {
            let error = try await errorOf { try await service.photo(id, of: account) }
            seen.append("\(id) \(error?.code as Any)")
            let picture = try await errorOf {
                for try await _ in service.photos.getPicture(GetPictureRequest(photoId: id), options) {}
            }
            seen.append("\(id) \(picture?.code as Any)")
        }
        let album = try await errorOf {
            try await service.photos.getAlbum(GetAlbumRequest(subject: "place/catalog/city/1"), options)
        }
        return seen + ["\(album?.code as Any)"]
    }

    @Test("an account can't tell whether another has a pin there, whatever it asks")
    func untold() async throws {
        var stories: [[String]] = []
        for hasPin in [false, true] {
            try await with { service, fixture in
                if hasPin {
                    try await addPin("p1", of: "ann", service)
                    #expect(try await seen(by: "ann", service)[0].contains("commons/1"))
                }
                var story = try await seen(by: "bo", service)
                let before = fixture.requests.count { $0.path == "/w/api.php" }
                // Its own pin costs the same questions, and gives the same.
                try await addPin("p2", of: "bo", service)
                story.append("\(fixture.requests.count { $0.path == "/w/api.php" } - before)")
                stories.append(story + (try await seen(by: "bo", service)))
            }
        }
        #expect(stories[0] == stories[1])
        #expect(stories[0].last { $0.contains("commons/1, ") || $0.contains("commons/2") } != nil)
    }

    /// What an account sees of the place's album, and what the pin service learns of it for that account.
    private func album(of account: String, _ service: RunningPhotoService) async throws -> [String] {
        let subject = "place/catalog/city/1"
        var seen: [String] = []
        for size in [UInt32(1), 250] {
            let request = GetAlbumRequest(subject: subject, pageSize: size)
            let page = try await service.photos.getAlbum(request, service.options(of: account))
            let counts = page.album?.summary.map { "\($0.state) \($0.photoCount) \($0.readyCount)" } ?? ""
            seen.append("\(counts) \(page.photos.map(\.id)) \(page.nextPageToken.isEmpty)")
        }
        let updates = service.search.watchSummaries(WatchSummariesRequest(), service.peerOptions(of: account))
        for try await answer in updates {
            let told = answer.albums.first { $0.subject == subject }
            let own = told?.accounts.first { $0.account == account }?.photoCount
            return seen + ["\(own ?? told?.summary?.photoCount ?? 0)"]
        }
        return seen
    }

    @Test("an account whose pins ask no network sees nothing of what another's have brought to the place's album")
    func albumsOfPlaces() async throws {
        var stories: [[String]] = []
        for hasPin in [false, true] {
            try await with { service, _ in
                if hasPin { try await addPin("p1", of: "ann", service) }
                try await addPin("p2", of: "bo", asking: ["folder"], service)
                stories.append(try await album(of: "bo", service))
                guard hasPin else { return }
                let own = try await album(of: "ann", service)
                #expect(own[1].contains("commons/1") && own[2] == "2")
                // What its own pin finds is in the same album at once.
                try await addPin("p3", of: "cy", service)
                #expect(try await album(of: "cy", service) == own)
            }
        }
        #expect(stories[0] == stories[1])
    }

    @Test("the pin service is told of no more accounts at once than an answer has room for, and still of every album")
    func manyAccounts() async throws {
        try await with { service, _ in
            for account in ["ann", "bo"] { try await addPin("p-\(account)", of: account, service) }
            // Its album changes last.
            try await addPin("p-cy", of: "cy", asking: ["folder"], service)
            let whole = try await service.store.summaries(after: 0)
            #expect(whole.isAll && whole.albums.map(\.accounts.count).max() == 2)
            var (subjects, page) = ([AlbumSubject](), try await service.store.summaries(after: 0, maximumAccounts: 1))
            #expect(!page.isAll)
            while true {
                #expect(page.albums.reduce(0) { $0 + $1.accounts.count } <= 1)
                subjects += page.albums.map(\.album.subject)
                if page.isAll { break }
                page = try await service.store.summaries(after: page.version, maximumAccounts: 1)
            }
            #expect(subjects == whole.albums.map(\.album.subject))
        }
    }

    @Test("a photo that all see stays that when a network lists it for someone")
    func shared() async throws {
        try await with { service, _ in
            _ = try await service.put(
                Photo(
                    id: "commons/1", position: Self.centre, author: "Ann", licence: "CC0",
                    sourceUrl: "https://a.example"))
            try await addPin("p1", of: "ann", service)
            let near = try await service.photos.photosNear(
                PhotosNearRequest(centre: Self.centre, radiusM: 1_000, limit: 100), service.options(of: "bo"))
            #expect(near.photos.map(\.id) == ["commons/1"])
        }
    }
}
