import Geo
import PhotoContracts
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P53 Small pictures of photos whose album was never opened", .timeLimit(.minutes(2)))
struct SmallPictureTests {
    private static let helsinki = BaseContracts.Box(
        southWest: Coordinate(latitude: 59.9, longitude: 24.9), northEast: Coordinate(latitude: 60.1, longitude: 25.1))

    /// Runs the service with photos that all see, whose bytes are at a network.
    private func with(
        _ commons: CommonsFixture, _ ids: ClosedRange<Int>, clock: ManualClock = ManualClock(),
        _ body: (RunningPhotoService) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            _ = try PictureFiles(folder)
            try await HTTPFixture.with(commons.answer) { _, url in
                let arguments = [
                    "--commons-url", "\(url)/w/api.php", "--commons-files", "\(url)/files", "--contact", "a@b.example",
                ]
                try await RunningPhotoService.working(in: folder, arguments: arguments, clock: clock.clock) { service in
                    let photos = try ids.map { try Photo.atCommons($0, "\(url)/files/\($0).jpg") }
                    try await service.store.write { transaction throws(SQLError) in
                        for photo in photos { try transaction.putPhoto(photo) }
                    }
                    try await body(service)
                }
            }
        }
    }

    @Test("are made when they are asked for, and nothing else is told of the photo then than before")
    func onDemand() async throws {
        try await TemporaryFolder.with { folder in
            try PictureFiles(folder).add("a.jpg", 60, TestJPEG(width: 640, height: 480))
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                let before = try await service.photo("folder/a.jpg", of: "ann")
                #expect(before.smallUrl.hasPrefix("/pictures/") && before.thumbnailUrl.isEmpty)
                for account in ["ann", "bob"] {
                    let info = try await service.picture("folder/a.jpg", .small, service.options(of: account)).info
                    #expect(info.width == 160 && info.height == 120)
                }
                #expect(try await service.photo("folder/a.jpg", of: "ann") == before)
                // Both sizes were made at once, each in two kinds.
                #expect(try await service.keptJPEGs().count == 2)
            }
        }
    }

    @Test("are made of the file that is there now")
    func changed() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            try files.add("a.jpg", 60, shade: 10)
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                let (url, old) = (
                    try await service.photo("folder/a.jpg", of: "ann").smallUrl,
                    try await service.picture("folder/a.jpg", .small).info
                )
                try files.add("a.jpg", 60, TestJPEG(width: 320, height: 80), shade: 200)
                _ = try await service.scan()
                #expect(try await service.photo("folder/a.jpg", of: "ann").smallUrl != url)
                let new = try await service.picture("folder/a.jpg", .small).info
                #expect(new.sha256 != old.sha256 && new.height == 40)
            }
        }
    }

    @Test("of a network cost it one request each, however many ask, and few at the same time")
    func singleFlight() async throws {
        let gate = Gate()
        let commons = CommonsFixture((1...6).map { .init(id: $0) }, halfGate: gate)
        try await with(commons, 1...6) { service in
            try await withThrowingTaskGroup(of: PictureInfo.self) { group in
                for id in 1...6 {
                    for _ in 0..<3 { group.addTask { try await service.picture("commons/\(id)", .small).info } }
                }
                group.addTask {
                    while commons.fetched.isEmpty { await Task.yield() }
                    #expect(commons.fetched.count <= 3)
                    gate.open()
                    return PictureInfo()
                }
                for try await info in group { #expect(info.width == 160 || info == PictureInfo()) }
            }
            #expect(commons.fetched == Dictionary(uniqueKeysWithValues: (1...6).map { ($0, 1) }))
        }
    }

    @Test("that could not be made are not tried again for a while")
    func failures() async throws {
        let (clock, commons) = (ManualClock(), CommonsFixture([.init(id: 1, statuses: [500, 200])]))
        try await with(commons, 1...1, clock: clock) { service in
            for _ in 0..<3 {
                let error = try await errorOf { try await service.picture("commons/1", .small) }
                #expect(error?.code == .unavailable)
            }
            #expect(commons.fetched == [1: 1])
            clock.move(by: SmallPictures.memory + 1)
            #expect(try await service.picture("commons/1", .small).info.width == 160)
        }
    }

    @Test("that a network does not have any more are asked for once")
    func withdrawn() async throws {
        let (clock, commons) = (ManualClock(), CommonsFixture([.init(id: 1, statuses: [404])]))
        try await with(commons, 1...1, clock: clock) { service in
            for _ in 0..<2 {
                let error = try await errorOf {
                    try await service.picture("commons/1", .small, service.peerOptions(of: nil))
                }
                #expect(error != nil)
                clock.move(by: SmallPictures.memory + 1)
            }
            #expect(commons.fetched == [1: 1])
        }
    }

    @Test("are the covers of several on the map")
    func covers() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            for number in 0..<40 { try files.add("\(number).jpg", 60 + Double(number) / 10_000, shade: UInt8(number)) }
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                let request = FindClustersRequest(box: Self.helsinki, zoom: 5)
                let answer = try await service.clusters.findClusters(request, service.options)
                let cover = try #require(answer.clusters.first?.cover)
                #expect(answer.clusters.map(\.count) == [40] && answer.clusters.first?.mark == nil)
                #expect(try await service.photo(cover.id, of: "ann").smallUrl == cover.pictureUrl)
            }
        }
    }

    @Test("of several on the map are favourites before all others, for who has them", arguments: [5, 16])
    func favouriteCovers(zoom: UInt32) async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            for number in 0..<40 { try files.add("\(number).jpg", 60 + Double(number) / 10_000, shade: UInt8(number)) }
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                let request = FindClustersRequest(box: Self.helsinki, zoom: zoom)
                func covers(of account: String) async throws -> Set<String> {
                    let options = service.options(of: account)
                    let answer = try await service.clusters.findClusters(request, options)
                    return Set(answer.clusters.compactMap { ($0.cover ?? $0.mark)?.id })
                }
                for number in [17, 23] { _ = try await service.change("folder/\(number).jpg", .add) }
                // The newest of a mark's, however few or many marks there are.
                #expect(try await covers(of: "ann").contains("folder/23.jpg"))
                #expect(try await !covers(of: "ben").contains("folder/23.jpg"))
            }
        }
    }
}

extension PhotoService.Photo {
    fileprivate static func atCommons(_ id: Int, _ url: String) throws -> Self {
        try Self(
            id: #require(PhotoID("commons/\(id)")), title: "", position: Geo.Coordinate(latitude: 60, longitude: 25),
            credit: Credit(author: "A", licence: "CC0", sourceURL: "https://example.org/1"), originalURL: url, width: 0,
            height: 0, takenMilliseconds: nil)
    }
}
