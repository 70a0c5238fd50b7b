import PhotoContracts
import HTTP
import LiveNetworks
import RPC
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P18 P68 A network of photos that fails costs its part", .timeLimit(.minutes(2)))
struct PhotoNetworkFaultTests {
    private func finding(_ status: NetworkFinding.Status, wantsPause pause: Int64? = nil) -> NetworkFinding {
        var finding = NetworkFinding(network: "flickr", status: status)
        finding.retryAfterMilliseconds = pause
        return finding
    }

    @Test(
        "an album waits three times for one that is still asked, and for no other; each is asked again but for keys, and what is no answer of it five times"
    )
    func next() {
        let minute: Int64 = 60_000
        let cases: [([NetworkFinding], Int, NextSearch)] = [
            ([], 0, .none), ([finding(.found), finding(.empty), finding(.truncated), finding(.disabled)], 0, .none),
            ([finding(.failed(.auth)), finding(.failed(.off))], 0, .none),
            ([finding(.failed(.malformed))], 0, .after(minute)),
            ([finding(.failed(.malformed))], 4, .after(16 * minute)),
            ([finding(.failed(.malformed))], 5, .none),
            ([finding(.failed(.timeout))], 0, .atOnce), ([finding(.failed(.timeout))], 1, .atOnce),
            ([finding(.failed(.timeout))], 2, .after(4 * minute)),
            ([finding(.failed(.unavailable))], 0, .after(minute)), ([finding(.failed(.quota))], 1, .after(2 * minute)),
            ([finding(.failed(.unavailable))], 4, .after(16 * minute)),
            ([finding(.failed(.unavailable))], 1_000_000, .after(16 * minute)),
            ([finding(.failed(.quota), wantsPause: 60 * minute)], 0, .after(60 * minute)),
            // The first that may answer.
            ([finding(.failed(.quota), wantsPause: 60 * minute), finding(.failed(.unavailable))], 0, .after(minute)),
            ([finding(.failed(.auth)), finding(.failed(.timeout))], 0, .atOnce),
        ]
        for (findings, tries, expected) in cases {
            #expect(NextSearch(after: findings, tries: tries) == expected, "\(findings) \(tries)")
        }
        #expect(NextSearch.atOnce.answers == .awaited && NextSearch.after(1).answers == .lacking)
    }

    @Test("those that a place's entry leads to are asked at once: one that does not answer holds up no other")
    func atOnce() async throws {
        let (gate, asked) = (Gate(), Tally())
        let venue = "4b0000000000000000000001"
        let foursquare = FoursquareSimulator(.second, [venue: [.init(number: 1)]])
        let commons = CommonsFixture([.init(id: 1, title: "File:First.jpg", isNear: false)])
        let answer: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
            if request.path.hasPrefix("/w/") || request.path.hasPrefix("/files") {
                asked.add()
                return await commons.answer(request)
            }
            await gate.pass()
            return await foursquare.answer(request)
        }
        try await TemporaryFolder.with { folder in
            try await HTTPFixture.with(answer) { _, url in
                let arguments = [
                    "--commons-url", "\(url)/w/api.php", "--commons-files", "\(url)/files", "--commons-rate", "1000",
                    "--foursquare-photos", "v2", "--foursquare-key", FoursquareSimulator.key, "--foursquare-url", url,
                    "--foursquare-files", "\(url)/img", "--foursquare-rate", "1000", "--contact", "a@b.example",
                ]
                try await RunningPhotoService.working(in: folder, arguments: arguments) { service in
                    var place = AlbumSearchTests.place("foursquare/\(venue)", 60.001)
                    place.pictureTags = PictureTags(tags: ["image=File:First.jpg"])
                    try await service.addPin(places: [place])
                    try await service.watchToEnd("pin/p1")
                    let before = asked.count
                    let subject = "place/foursquare/\(venue)"
                    _ = try await service.photos.openAlbum(OpenAlbumRequest(subject: subject), service.options)
                    try await asked.wait(for: before + 1)
                    gate.open()
                    try await service.watch(subject) { $0.album?.summary?.readyCount == 2 }
                }
            }
        }
    }
}
