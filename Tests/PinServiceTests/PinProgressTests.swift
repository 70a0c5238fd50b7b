import Testing

@testable import PinService

@Suite("P4 P5 The colours of a pin")
struct PinProgressTests {
    private func search(_ state: NetworkSearch.State, generation: Int64 = 3, network: String = "a") -> NetworkSearch {
        var search = NetworkSearch(network: network, generation: generation)
        search.state = state
        return search
    }

    @Test("the first places of its own generation make a NEW pin PARTIAL, and nothing else does")
    func linking() {
        for state in PinState.allCases {
            for (places, asked) in [(0, Int64(3)), (5, 2), (5, 4), (5, 3)] {
                let next = PinProgress(state: state, generation: 3).afterLinking(places: places, asked: asked)
                #expect(next == (state == .new && places == 5 && asked == 3 ? .partial : state))
            }
        }
    }

    @Test("READY needs the end of every search of the generation, and the photos of it")
    func ready() {
        let progress = PinProgress(state: .partial, generation: 3)
        let cases: [([NetworkSearch], Int64, PinState)] = [
            ([search(.done)], 3, .ready), ([search(.done)], 4, .ready), ([search(.done)], 2, .partial),
            ([search(.searching)], 3, .partial), ([search(.retrying)], 3, .partial),
            ([search(.done, generation: 2)], 3, .partial), ([], 3, .ready), ([], 2, .partial),
            ([search(.done), search(.searching, network: "b")], 3, .partial),
            ([search(.done), search(.failed, network: "b")], 3, .ready),
            ([search(.done), search(.failed, network: "b")], 0, .partial),
            ([search(.done), search(.searching, generation: 2, network: "b")], 3, .ready),
            ([search(.failed), search(.done, generation: 2, network: "b")], 3, .failed),
        ]
        for (searches, album, expected) in cases {
            #expect(progress.after(searches, albumGeneration: album) == expected, "\(searches) \(album)")
        }
        #expect(PinProgress(state: .new, generation: 3).after([search(.done)], albumGeneration: 3) == .ready)
    }

    @Test("all failed is FAILED, and never green")
    func failed() {
        let all = [search(.failed), search(.failed, network: "b")]
        for state in [PinState.new, .partial] {
            for album: Int64 in [0, 3] {
                #expect(PinProgress(state: state, generation: 3).after(all, albumGeneration: album) == .failed)
            }
        }
    }

    @Test("what is final stays until the pin moves")
    func final() {
        for state in [PinState.ready, .failed] {
            for searches in [[search(.failed)], [search(.done)], [search(.searching)]] {
                #expect(PinProgress(state: state, generation: 3).after(searches, albumGeneration: 3) == state)
            }
        }
    }

    @Test("a network that can't be reached is asked again without end; one that refuses, five times")
    func refusals() throws {
        var search = NetworkSearch(network: "catalog", generation: 2)
        for _ in 0..<50 {
            let next = search.failed(.unreachable("gone"), asked: 2)
            search = try #require(next)
            #expect(search.state == .retrying)
        }
        #expect(search.warning == "the catalog can't be reached and will be retried: gone")
        for count in 1...5 {
            let next = search.failed(.refused("no"), asked: 2)
            search = try #require(next)
            #expect(search.state == (count < 5 ? .retrying : .failed))
        }
        #expect(search.failed(.refused("no"), asked: 2) == nil, "it has ended")
        #expect(NetworkSearch(network: "a", generation: 2).failed(.refused("no"), asked: 1) == nil, "asked before")
    }

    @Test("a network that gives nothing for now is asked again without end, unless it wants more than ten minutes")
    func busy() throws {
        var search = NetworkSearch(network: "openstreetmap", generation: 2)
        for pause: Int64? in [nil, 1_000, 600_000] {
            for _ in 0..<50 {
                let next = search.failed(.busy("too many", pauseMilliseconds: pause), asked: 2)
                search = try #require(next)
                #expect(search.state == .retrying)
            }
        }
        #expect(search.warning == "the openstreetmap refuses requests for now and will be retried: too many")
        let last = search.failed(.busy("no more today", pauseMilliseconds: 600_001), asked: 2)
        search = try #require(last)
        #expect(search.state == .failed)
        #expect(search.warning == "the openstreetmap refuses requests for now: no more today")
    }
}
