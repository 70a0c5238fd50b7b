import Testing

@testable import PinService

@Suite("P4 P5 The colours of a pin")
struct PinProgressTests {
    private func search(
        _ state: NetworkSearch.State, generation: Int64 = 3, network: String = "foursquare"
    ) -> NetworkSearch {
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
        let cases: [([NetworkSearch], Bool, PinState)] = [
            ([search(.done)], true, .ready), ([search(.done)], false, .partial),
            ([search(.searching)], true, .partial), ([search(.retrying)], true, .failed),
            ([search(.done, generation: 2)], true, .partial), ([], true, .ready), ([], false, .partial),
            ([search(.done), search(.searching, network: "instagram")], true, .partial),
            ([search(.done), search(.failed, network: "instagram")], true, .ready),
            ([search(.done), search(.retrying, network: "instagram")], true, .ready),
            ([search(.done), search(.retrying, network: "instagram")], false, .partial),
            ([search(.done), search(.searching, generation: 2, network: "instagram")], true, .ready),
            ([search(.failed), search(.done, generation: 2, network: "instagram")], true, .failed),
            ([search(.done, network: "catalog")], true, .ready),
            ([search(.done, network: "catalog"), search(.retrying)], true, .failed),
            ([search(.done, network: "catalog").done(placeCount: 1), search(.retrying)], true, .ready),
            ([search(.disabled)], true, .ready),
            ([search(.disabled), search(.retrying, network: "instagram")], true, .failed),
        ]
        for (searches, areKnown, expected) in cases {
            #expect(progress.after(searches, arePhotosSettled: areKnown) == expected, "\(searches) \(areKnown)")
        }
        #expect(PinProgress(state: .new, generation: 3).after([search(.done)], arePhotosSettled: true) == .ready)
    }

    @Test("all failed is FAILED, for now or for good, and never green")
    func failed() {
        for state in [PinState.new, .partial, .failed] {
            for all in [[search(.failed), search(.retrying, network: "instagram")], [search(.retrying)]] {
                for areKnown in [false, true] {
                    let progress = PinProgress(state: state, generation: 3)
                    #expect(progress.after(all, arePhotosSettled: areKnown) == .failed)
                }
            }
        }
    }

    @Test("READY stays until the pin moves; FAILED until a network has answered, whose photos are waited for")
    func final() {
        for searches in [[search(.failed)], [search(.done)], [search(.searching)], [search(.retrying)]] {
            let ready = PinProgress(state: .ready, generation: 3)
            #expect(ready.after(searches, arePhotosSettled: true) == .ready)
        }
        let failed = PinProgress(state: .failed, generation: 3)
        #expect(failed.after([search(.searching)], arePhotosSettled: true) == .failed)
        #expect(failed.after([search(.done)], arePhotosSettled: true) == .ready)
        for (places, expected) in [(Int64(0), PinState.new), (7, .partial)] {
            let answered = search(.searching).done(placeCount: places)
            let searches = [answered, search(.retrying, network: "instagram")]
            #expect(failed.after(searches, arePhotosSettled: false) == expected)
        }
    }

    @Test("what is late holds up its pin three times, what fails not at all; what hardly gets better ends at the fifth")
    func faults() throws {
        for kind in NetworkFault.Kind.allCases {
            var (search, states) = (NetworkSearch(network: "a", generation: 2), [NetworkSearch.State]())
            while let next = search.failed(NetworkFault(kind, "it failed"), asked: 2), states.count < 8 {
                search = next
                states.append(search.state)
                let isAgain = search.state == .retrying
                #expect(search.warning == (isAgain ? "it failed; it is asked again" : "it failed"))
            }
            let late = [NetworkSearch.State](repeating: .searching, count: kind.isLate ? 2 : 0)
            let again = [NetworkSearch.State](repeating: .retrying, count: kind.isLasting ? 4 : 8 - late.count)
            #expect(states == late + again + (kind.isLasting ? [.failed] : []), "\(kind)")
        }
        let search = NetworkSearch(network: "a", generation: 2)
        #expect(search.failed(NetworkFault(.quota, "no"), asked: 1) == nil, "asked before")
        #expect(search.done(placeCount: 1).failed(NetworkFault(.quota, "no"), asked: 2) == nil, "it has ended")
        let kept = search.failed(NetworkFault(.quota, "no"), asked: 2, placeCount: 4)
        #expect(kept?.failed(NetworkFault(.quota, "no"), asked: 2)?.placeCount == 4)
    }

    @Test("the waits before a network is asked again double up to a quarter of an hour, or are as long as it wants")
    func pauses() {
        let fault = NetworkFault(.unavailable, "it fails (503)")
        let seconds = [0, 1, 2, 5, 9, 10, 1_000_000].map { fault.pause(after: $0).components.seconds }
        #expect(seconds == [2, 4, 8, 64, 900, 900, 900])
        let hours = NetworkFault(.quota, "no more today", ownPause: .seconds(5 * 3_600))
        #expect(hours.pause(after: 0) == .seconds(5 * 3_600))
        #expect(NetworkFault(.quota, "no", ownPause: .seconds(1e9)).pause(after: 0) == .seconds(86_400))
        #expect(NetworkFault(.away, "it is gone").pause(after: 5) == .zero, "as its jobs are: many wait for it")
    }
}
