import Contracts
import EventLoops
import RPC
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite("P3 tiles that the gateway keeps", .timeLimit(.minutes(3)))
struct KeptTilesTests {
    private func key(_ x: UInt32, version: String = "1") -> KeptTiles.Key {
        KeptTiles.Key(dataset: "town", version: version, zoom: 14, x: x, y: 0)
    }

    @Test("are those that were used last, within the room")
    func room() {
        let kept = KeptTiles(limitBytes: 10_000)
        let answer = [UInt8](repeating: 7, count: 800)
        for x in 0..<1000 {
            kept.keep(answer, of: key(UInt32(x)))
            #expect(kept.answer(key(0)) == answer)
        }
        #expect((0..<1000).count(where: { kept.answer(key($0)) != nil }) <= 10)
        kept.keep([UInt8](repeating: 7, count: 10_000), of: key(2000))
        #expect(kept.answer(key(2000)) == nil)
    }

    @Test("are of one edition, and not given after their time, however often they are used")
    func life() {
        let time = Mutex(MonotonicTime.now)
        let kept = KeptTiles(now: { time.withLock { $0 } })
        kept.keep([1], of: key(1))
        #expect(kept.answer(key(1, version: "2")) == nil)
        time.withLock { $0 = $0 + (KeptTiles.life - .seconds(1)) }
        #expect(kept.answer(key(1)) == [1])
        time.withLock { $0 = $0 + .seconds(2) }
        #expect(kept.answer(key(1)) == nil)
    }

    @Test("are asked for once with the name of their edition, and each time without it or with another one")
    func once() async throws {
        var backends = FakeBackends()
        backends.tile = [1, 2, 3]
        try await RunningGateway.with(backends) { gateway in
            let places = PlacesServiceClient(gateway.client)
            for (version, calls) in [("1", 1), ("", 4), ("old", 4)] {
                let before = gateway.behind.contexts.count
                for _ in 0..<4 {
                    let request = GetTileRequest(dataset: "town", zoom: 1, x: 1, y: 1, version: version)
                    let answer = try await places.getTile(request)
                    #expect(answer.tile == [1, 2, 3] && answer.version == "1")
                }
                #expect(gateway.behind.contexts.count == before + calls, "\(version)")
            }
        }
    }

    @Test("are kept from who may not ask")
    func permission() async throws {
        var backends = FakeBackends()
        backends.tile = [1, 2, 3]
        try await RunningGateway.with(backends, isOpen: false) { gateway in
            let request = GetTileRequest(dataset: "town", version: "1")
            let error = try await errorOf { try await PlacesServiceClient(gateway.client).getTile(request) }
            #expect(error?.code == .unauthenticated)
        }
    }
}
