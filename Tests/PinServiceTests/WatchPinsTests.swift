import PinContracts
import EventLoops
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("P10 Watching all pins of an account")
struct WatchPinsTests {
    /// What a client knows of the pins that it watches.
    private struct View {
        var pins: [String: PinContracts.Pin] = [:]
        var version: UInt64 = 0

        mutating func take(_ answer: WatchPinsResponse) {
            if answer.isWhole { pins = [:] }
            for pin in answer.pins { pins[pin.id] = pin }
            for id in answer.removedIds { pins[id] = nil }
            version = answer.version
        }
    }

    /// Nothing but the calls works here: no pin changes by itself.
    private func with(
        pace: Duration = .milliseconds(1), _ body: (RunningPinService, PinStore) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try await RunningPinService.with(folder: folder, watchPace: pace, body)
        }
    }

    private func add(_ name: String, _ service: RunningPinService, of account: String = "ann") async throws -> String {
        let request = CreatePinRequest(60, 25, name: name)
        return try #require(try await service.pins.createPin(request, service.of(account)).pin?.id)
    }

    private func rename(_ id: String, _ name: String, _ service: RunningPinService) async throws {
        _ = try await service.pins.renamePin(RenamePinRequest(id: id, name: name), service.of("ann"))
    }

    private func setSpan(_ id: String, _ service: RunningPinService) async throws {
        let span = Span(latitudeDelta: 1, longitudeDelta: 1)
        _ = try await service.pins.setPinSpan(SetPinSpanRequest(id: id, span: span), service.of("ann"))
    }

    private func delete(_ id: String, _ service: RunningPinService) async throws {
        _ = try await service.pins.deletePin(DeletePinRequest(id: id), service.of("ann"))
    }

    private func watch(
        _ service: RunningPinService, from version: UInt64 = 0
    ) -> ResponseStream<WatchPinsResponse> {
        service.pins.watchPins(WatchPinsRequest(fromVersion: version), service.of("ann"))
    }

    /// The first answer to a watch of its own.
    private func next(_ service: RunningPinService, from version: UInt64) async throws -> WatchPinsResponse {
        try #require(try await watch(service, from: version).makeAsyncIterator().next())
    }

    @Test("tells all of them, then what is new, changed and gone; nothing of another account's")
    func changes() async throws {
        try await with { service, _ in
            let first = try await add("first", service)
            _ = try await add("other", service, of: "bob")
            let told = watch(service).makeAsyncIterator()
            let whole = try #require(try await told.next())
            #expect(whole.isWhole)
            #expect(whole.pins.map(\.name) == ["first"])
            let second = try await add("second", service)
            let new = try #require(try await told.next())
            #expect(!new.isWhole)
            #expect(new.pins.map(\.id) == [second])
            _ = try await add("another", service, of: "bob")
            try await rename(first, "renamed", service)
            let changed = try #require(try await told.next())
            #expect(changed.pins.map(\.name) == ["renamed"])
            try await delete(second, service)
            let gone = try #require(try await told.next())
            #expect(gone == WatchPinsResponse(removedIds: [second], version: gone.version))
            let again = try await next(service, from: new.version)
            #expect(again.pins.map(\.name) == ["renamed"])
            #expect(again.removedIds == [second])
            #expect(again.version == gone.version)
        }
    }

    @Test("that fill up, with the stream cut off after every answer, gives what a list of them gives")
    func reconnect() async throws {
        let albums = ScriptedAlbums()
        albums.set { $0.photos["catalog/test/1"] = 2 }
        try await PinWorld.with(DiscoveryTests.places(300), albums) { world in
            for number in 0..<6 { _ = try await world.create(CreatePinRequest(60, 25, name: "pin \(number)")) }
            var view = View()
            while view.pins.count < 6 || !view.pins.values.allSatisfy({ $0.state == .ready && $0.photoCount == 2 }) {
                view.take(try await next(world.service, from: view.version))
            }
            try await world.untilIdle()
            let listed = try await world.service.pins.listPins(ListPinsRequest(), world.service.of("ann")).pins
                .sorted { $0.id < $1.id }
            while view.pins.values.sorted(by: { $0.id < $1.id }) != listed {
                view.take(try await next(world.service, from: view.version))
            }
        }
    }

    @Test("begins with everything, at most 500 in one answer, for a version of 0 or one that is still to come")
    func parts() async throws {
        try await with { service, _ in
            _ = try await concurrently(0..<1_100) { number in try await add("\(number)", service) }
            for version: UInt64 in [0, 1 << 40, .max] {
                let told = watch(service, from: version).makeAsyncIterator()
                var view = View()
                for (count, isWhole) in [(500, true), (500, false), (100, false)] {
                    let part = try #require(try await told.next())
                    #expect(part.pins.count == count)
                    #expect(part.isWhole == isWhole)
                    view.take(part)
                }
                #expect(view.pins.count == 1_100)
            }
            let first = try await next(service, from: 0)
            let second = try await next(service, from: first.version)
            #expect(!second.isWhole)
            #expect(Set(first.pins.map(\.id)).isDisjoint(with: second.pins.map(\.id)))
        }
    }

    @Test("says that there are none; begins anew for whoever may have missed a removal that is forgotten")
    func forgotten() async throws {
        try await with { service, store in
            #expect(try await next(service, from: 0).isWhole)
            let (kept, gone) = (try await add("kept", service), try await add("gone", service))
            let before = try await next(service, from: 0).version
            try await delete(gone, service)
            let after = try await next(service, from: before)
            #expect(after.removedIds == [gone])
            let time = RunningPinService.now + AccountDelta.removalLifeMilliseconds
            for (time, count) in [(RunningPinService.now, 0), (time, 1)] {
                let forgotten = try await store.database.write { transaction throws(SQLError) in
                    try transaction.deleteRemovals(before: time, limit: 10)
                }
                #expect(forgotten == count)
            }
            let late = try await next(service, from: before)
            #expect(late.isWhole)
            #expect(late.pins.map(\.id) == [kept])
            try await rename(kept, "renamed", service)
            #expect(try await next(service, from: after.version).isWhole == false)
        }
    }

    @Test("gathers small changes, but tells at once who comes, goes, turns another colour or gets another name")
    func pace() async throws {
        try await with(pace: .seconds(3_600)) { service, _ in
            let (first, second) = (try await add("first", service), try await add("second", service))
            let told = watch(service).makeAsyncIterator()
            _ = try await told.next()
            try await setSpan(first, service)
            try await delete(second, service)
            let both = try #require(try await told.next())
            #expect(both.pins.map(\.id) == [first])
            #expect(both.removedIds == [second])
            try await setSpan(first, service)
            let third = try await add("third", service)
            #expect(try await told.next()?.pins.map(\.id) == [first, third])
            try await rename(third, "renamed", service)
            #expect(try await told.next()?.pins.map(\.name) == ["renamed"])
        }
    }

    @Test("is not woken by changes of other accounts", .enabled(if: PostgresServer.isOfFiles))
    func bells() async throws {
        try await with { service, store in
            try await store.database.notices.watching("ann") { bell in
                _ = try await add("other", service, of: "bob")
                #expect(bell.count == 0)
                _ = try await add("own", service)
                #expect(bell.count == 1)
            }
            #expect(store.database.notices.count == 0)
        }
    }

    @Test("ends at once when the service stops")
    func stopping() async throws {
        try await with { service, store in
            let told = watch(service).makeAsyncIterator()
            _ = try await told.next()
            store.leave()
            let error = try await errorOf { while try await told.next() != nil {} }
            #expect(error?.code == .unavailable)
        }
    }

    @Test("of more than one wants there is no full list, but how many they are, and what changes from then on")
    func crowd() async throws {
        try await with { service, _ in
            for number in 0..<3 { _ = try await add("\(number)", service) }
            let whole = WatchPinsRequest(wholeAtMost: 3)
            let all = service.pins.watchPins(whole, service.of("ann")).makeAsyncIterator()
            #expect(try await all.next()?.pins.count == 3)

            let few = service.pins.watchPins(WatchPinsRequest(wholeAtMost: 2), service.of("ann")).makeAsyncIterator()
            let first = try #require(try await few.next())
            #expect(first.isWhole)
            #expect(first.crowd == 3)
            #expect(first.pins.isEmpty)
            let added = try await add("fourth", service)
            let second = try #require(try await few.next())
            #expect(second.pins.map(\.id) == [added])
            #expect(second.crowd == 4)
            #expect(!second.isWhole)
            // Who has been sent all learns that they are too many now.
            var last = try #require(try await all.next())
            while last.pins.isEmpty { last = try #require(try await all.next()) }
            #expect(last.crowd == 4)

            let later = WatchPinsRequest(wholeAtMost: 2, fromVersion: second.version)
            let resumed = service.pins.watchPins(later, service.of("ann")).makeAsyncIterator()
            try await delete(added, service)
            let third = try #require(try await resumed.next())
            #expect(third.removedIds == [added])
        }
    }
}
