import PinContracts
import RPC
import Storage
import TestSupport
import Testing

@testable import PinService

@Suite("P10 Watching a pin")
struct WatchPinTests {
    /// What a client knows of a pin that it watches.
    private struct View {
        var pin: PinContracts.Pin?
        var photos: [String: UInt32] = [:]
        var version: UInt64 = 0
        var largest = 0

        mutating func take(_ answer: WatchPinResponse) {
            pin = answer.pin
            version = answer.version
            largest = max(largest, answer.places.count)
            for place in answer.places { photos[place.id] = place.photoCount }
        }
    }

    private func expectSame(_ view: View, _ world: PinWorld, _ id: String) async throws {
        let places = try await world.places(id)
        #expect(view.photos.count == places.count)
        #expect(places.allSatisfy { view.photos[$0.id] == $0.photoCount })
        #expect(view.pin == (try await world.pin(id)))
        #expect(view.largest <= 1_000)
    }

    @Test("from its creation on, with the stream cut off after every answer, nothing is missed")
    func reconnect() async throws {
        let (places, albums) = (DiscoveryTests.places(1_500), ScriptedAlbums())
        albums.set { state in
            for number in stride(from: 0, to: 1_500, by: 3) { state.photos["catalog/test/\(number)"] = 2 }
        }
        let networks = [PlaceNetwork.catalog(maximumLinks: 5_000)]
        try await PinWorld.with(places, albums, networks: networks) { world in
            let created = try await world.create(CreatePinRequest(60, 25, radius: 2_000, name: "here"))
            var view = View()
            while view.pin?.state != .ready || view.pin?.photoCount != 1_000 {
                let request = WatchPinRequest(id: created.id, fromVersion: view.version)
                for try await answer in world.service.pins.watchPin(request, world.service.of("ann")) {
                    #expect(answer.version > view.version)
                    view.take(answer)
                    break
                }
            }
            try await expectSame(view, world, created.id)
            #expect(view.pin?.photoPlaceCount == 500)
        }
    }

    @Test("begins with everything for a version of 0 or one that is still to come, in parts of whole versions")
    func everything() async throws {
        let networks = [PlaceNetwork.catalog(maximumLinks: 5_000)]
        try await PinWorld.with(DiscoveryTests.places(2_500), networks: networks) { world in
            let created = try await world.create(CreatePinRequest(60, 25, radius: 3_000, name: "here"))
            try await world.untilPin(created.id) { $0.state == .ready }
            for version: UInt64 in [0, 1 << 40, .max] {
                var view = View()
                var parts = 0
                let request = WatchPinRequest(id: created.id, fromVersion: version)
                for try await answer in world.service.pins.watchPin(request, world.service.of("ann")) {
                    view.take(answer)
                    parts += 1
                    if answer.version == answer.pin?.version { break }
                }
                #expect(parts == 3)
                try await expectSame(view, world, created.id)
            }
        }
    }

    @Test("tells a change of the album, of a name and of a place's photos, and nothing of other pins")
    func changes() async throws {
        let albums = ScriptedAlbums()
        try await PinWorld.with(DiscoveryTests.places(3), albums) { world in
            let created = try await world.create(CreatePinRequest(60, 25, name: "here"))
            let other = try await world.create(CreatePinRequest(60, 25, name: "other"))
            for id in [created.id, other.id] { try await world.untilPin(id) { $0.state == .ready } }
            let version = try await world.pin(created.id).version
            let request = WatchPinRequest(id: created.id, fromVersion: version)
            let answers = world.service.pins.watchPin(request, world.service.of("ann")).makeAsyncIterator()
            _ = try await world.service.pins.renamePin(
                RenamePinRequest(id: other.id, name: "x"), world.service.of("ann"))
            _ = try await world.service.pins.renamePin(
                RenamePinRequest(id: created.id, name: "there"), world.service.of("ann"))
            let renamed = try await answers.next()
            #expect(renamed?.pin?.name == "there")
            #expect(renamed?.places == [])
            albums.tell("place/catalog/test/1", AlbumSummary(state: .listed, photoCount: 4))
            let photos = try await answers.next()
            #expect(photos?.places.map(\.id) == ["catalog/test/1"])
            #expect(photos?.pin?.photoCount == 4)
            albums.tell(
                "pin/\(created.id)", AlbumSummary(state: .complete, photoCount: 2, readyCount: 2), generation: 1)
            let album = try await answers.next()
            #expect(album?.pin?.album?.readyCount == 2)
            #expect(album?.pin?.state == .ready)
        }
    }

    @Test("of a pin that is not there, or another account's, is NOT_FOUND; nothing is kept for it")
    func refused() async throws {
        try await PinWorld.with(ScriptedPlaces()) { world in
            let created = try await world.create(CreatePinRequest(60, 25))
            let requests = [(created.id, "bob"), ("\(PinID.make(unixMilliseconds: 1))", "ann")]
            for (id, account) in requests {
                let watch = world.service.pins.watchPin(WatchPinRequest(id: id), world.service.of(account))
                let error = try await errorOf { for try await _ in watch {} }
                #expect(error?.code == .notFound)
            }
            #expect(await eventually { world.store.database.notices.count == world.jobKinds })
        }
    }

    @Test("ends at once when the service stops, so that the stop need not wait for it")
    func stopping() async throws {
        try await PinWorld.with(ScriptedPlaces()) { world in
            let created = try await world.create(CreatePinRequest(60, 25))
            let watch = world.service.pins.watchPin(WatchPinRequest(id: created.id), world.service.of("ann"))
            let answers = watch.makeAsyncIterator()
            _ = try await answers.next()
            world.store.leave()
            let error = try await errorOf { while try await answers.next() != nil {} }
            #expect(error?.code == .unavailable)
        }
    }
}
