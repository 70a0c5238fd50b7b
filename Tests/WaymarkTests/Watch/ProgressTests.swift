import Contracts
import Testing

@testable import Waymark

@Suite("P10 P19 what a watch has told")
struct ProgressTests {
    @Test(
        "a pin is settled when its search and its album have ended",
        arguments: [
            (.new, nil, false), (.partial, .complete, false), (.ready, nil, false), (.ready, .searching, false),
            (.ready, .downloading, false), (.ready, .complete, true), (.ready, .empty, true),
            (.ready, .completeWithErrors, true), (.ready, .failed, true), (.failed, nil, true),
            (.failed, .downloading, false), (.failed, .complete, true),
        ] as [(PinState, AlbumState?, Bool)])
    func pinSettled(pin: PinState, album: AlbumState?, isSettled: Bool) {
        var progress = WatchedPin(id: "x")
        #expect(!progress.isSettled && !progress.hasBegun)
        progress.apply(WatchPinResponse(pin: Sample.pin(pin, album: album.map { Sample.summary($0) }), version: 7))
        #expect(progress.isSettled == isSettled)
        #expect(progress.isReady == (pin == .ready))
        #expect(progress.version == 7)
        #expect(progress.hasBegun)
    }

    @Test("the places told last are kept, each once")
    func latestPlaces() {
        var progress = WatchedPin(id: "x")
        progress.apply(WatchPinResponse(places: (1...7).map { Sample.place($0) }))
        #expect(progress.latest.map(\.name) == (3...7).map { "Place \($0)" })
        progress.apply(WatchPinResponse(places: [Sample.place(4, photos: 2)]))
        #expect(progress.latest.map(\.name) == [3, 5, 6, 7, 4].map { "Place \($0)" })
        #expect(progress.latest.last?.photoCount == 2)
    }

    @Test("a removed pin keeps its id, and is not ready")
    func removed() {
        var progress = WatchedPin(Sample.pin(.ready))
        progress.apply(WatchPinResponse(deleted: true, version: 9))
        #expect(progress.isGone && !progress.isReady)
        #expect(progress.pin.id == Sample.pinID)
    }

    @Test(
        "an album is settled when no picture is on its way",
        arguments: [
            (.unspecified, false), (.searching, false), (.downloading, false), (.listed, true), (.complete, true),
            (.empty, true), (.completeWithErrors, true), (.failed, true),
        ] as [(AlbumState, Bool)])
    func albumSettled(state: AlbumState, isSettled: Bool) {
        var progress = WatchedAlbum(subject: "pin/x")
        progress.apply(WatchAlbumResponse(album: Album(subject: "pin/x", summary: Sample.summary(state))))
        #expect(progress.isSettled == isSettled)
        #expect(progress.isWell == (state != .failed))
    }

    @Test("photos are kept that moved last; a whole answer takes the place of all")
    func latestPhotos() {
        var progress = WatchedAlbum(subject: "pin/x")
        let photos = [Sample.photo(1, .waiting), Sample.photo(2, .downloading), Sample.photo(3, .ready)]
        progress.apply(WatchAlbumResponse(album: Album(version: 4), photos: photos, isWhole: true))
        #expect(progress.latest.map(\.title) == ["Photo 2", "Photo 3"])
        progress.apply(WatchAlbumResponse(album: Album(version: 5), photos: [Sample.photo(2, .failed)]))
        #expect(progress.latest.map(\.title) == ["Photo 3", "Photo 2"])
        #expect(progress.album.version == 5)
        progress.apply(WatchAlbumResponse(album: Album(version: 6), photos: [Sample.photo(9)], isWhole: true))
        #expect(progress.latest.map(\.title) == ["Photo 9"])
    }
}
