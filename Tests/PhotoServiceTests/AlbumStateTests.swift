import Testing

@testable import PhotoService

@Suite("P19 The state of an album")
struct AlbumStateTests {
    struct Case: Sendable {
        let photos, ready, failed: Int64
        let state: AlbumState

        init(_ photos: Int64, _ ready: Int64, _ failed: Int64, _ state: AlbumState) {
            (self.photos, self.ready, self.failed, self.state) = (photos, ready, failed, state)
        }
    }

    private static let opened = [
        Case(0, 0, 0, .empty), Case(3, 0, 0, .downloading), Case(3, 2, 0, .downloading), Case(3, 1, 1, .downloading),
        Case(3, 3, 0, .complete), Case(3, 2, 1, .completeWithErrors), Case(3, 0, 3, .failed),
    ]

    @Test("is decided by its counters", arguments: opened)
    func counters(example: Case) {
        let counters = AlbumCounters(photos: example.photos, ready: example.ready, failed: example.failed)
        #expect(counters.state(isSearching: false, isOpened: true) == example.state)
        #expect(counters.state(isSearching: true, isOpened: true) == .searching)
        #expect(counters.state(isSearching: false, isOpened: false) == (example.photos == 0 ? .empty : .listed))
        let isFinal = example.ready + example.failed == example.photos
        #expect(example.state.isFinal == isFinal)
    }
}
