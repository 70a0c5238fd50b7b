import AccountContracts
import PhotoContracts
import PinContracts
import PlaceContracts
import RPC
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("P34 settings", .timeLimit(.minutes(2)))
struct SettingsTests {
    private static let here = CreatePinRequest(60, 25, radius: 500)

    @Test("before the first pin an account chooses networks, and all else works before that")
    func setup() async throws {
        try await PinWorld.with(ScriptedPlaces(), firstNetworks: .unchosen) { world in
            #expect(try await world.settings() == Settings(needsNetworks: true, units: .local, startView: .last))
            let error = await #expect(throws: RPCError.self) { _ = try await world.create(Self.here) }
            #expect(error?.code == .failedPrecondition && error?.message.contains("choose first") == true)
            #expect(try await world.service.pins.listPins(ListPinsRequest(), world.service.of("ann")).pins.isEmpty)
            let chosen = try await world.update(UpdateSettingsRequest(enableNetworks: ["folder", "catalog"]))
            #expect(chosen == Settings(networks: ["catalog", "folder"], units: .local, startView: .last))
            #expect(try await world.create(Self.here).searches.map(\.network) == ["catalog"])
            // Another account has chosen nothing.
            #expect(try await world.settings(of: "ben").needsNetworks)
        }
    }

    @Test("units, language and start stay as they are until one is given")
    func shown() async throws {
        try await PinWorld.with(ScriptedPlaces(), firstNetworks: .unchosen) { world in
            var settings = try await world.update(UpdateSettingsRequest(units: .imperial, language: "pt-BR"))
            #expect(
                settings
                    == Settings(needsNetworks: true, units: .imperial, language: "pt-BR", startView: .last))
            settings = try await world.update(UpdateSettingsRequest(startView: .pins))
            #expect((settings.units, settings.language, settings.startView) == (.imperial, "pt-BR", .pins))
            #expect(try await world.update(UpdateSettingsRequest(language: "")).language.isEmpty)
        }
    }

    @Test("the last network stays enabled, and one that is not configured says so")
    func bounds() async throws {
        try await PinWorld.with(ScriptedPlaces(), firstNetworks: .unchosen) { world in
            try await world.update(UpdateSettingsRequest(enableNetworks: ["catalog"]))
            await world.refuses(
                UpdateSettingsRequest(disableNetworks: ["catalog"]), .failedPrecondition,
                "at least one network stays enabled")
            await world.refuses(
                UpdateSettingsRequest(enableNetworks: ["commons", "flickr"]), .failedPrecondition,
                "flickr can't be asked by this server; its operator can set that up")
            #expect(try await world.settings().networks == ["catalog"])
            // In one change one may take the place of the other.
            let other = UpdateSettingsRequest(enableNetworks: ["commons"], disableNetworks: ["catalog"])
            #expect(try await world.update(other).networks == ["commons"])
        }
    }

    private static let bad: [(UpdateSettingsRequest, String)] = [
        (UpdateSettingsRequest(enableNetworks: ["nowhere"]), "enable_networks[0]: \"nowhere\" is not allowed"),
        (UpdateSettingsRequest(disableNetworks: ["catalog", ""]), "disable_networks[1]: \"\" is not allowed"),
        (
            UpdateSettingsRequest(enableNetworks: Array(repeating: "catalog", count: 101)),
            "enable_networks: 101 networks are not allowed"
        ),
        (
            UpdateSettingsRequest(enableNetworks: ["catalog"], disableNetworks: ["catalog"]),
            "disable_networks: it names catalog, which enable_networks names too"
        ),
        (UpdateSettingsRequest(units: Units(rawValue: 9)), "units: 9 is not allowed; local, metric and imperial are"),
        (UpdateSettingsRequest(startView: StartView(rawValue: -1)), "start_view: -1 is not allowed"),
        (UpdateSettingsRequest(language: "e"), "language: \"e\" is not allowed; a tag of BCP 47 is"),
        (UpdateSettingsRequest(language: "fi_FI"), "language: \"fi_FI\" is not allowed"),
        (UpdateSettingsRequest(language: "pt-"), "language: \"pt-\" is not allowed"),
        (UpdateSettingsRequest(language: "a\u{0}b"), "is not allowed; a tag of BCP 47 is"),
        (UpdateSettingsRequest(language: String(repeating: "a", count: 36)), "language: 36 characters are not allowed"),
    ]

    @Test("what is not allowed is refused with its field, and nothing changes", arguments: bad)
    func badInput(request: UpdateSettingsRequest, message: String) async throws {
        try await PinWorld.with(ScriptedPlaces()) { world in
            await world.refuses(request, .invalidArgument, message)
            let stored = try await world.settings()
            #expect(stored == Settings(allNetworks: true, units: .local, startView: .last))
        }
    }

    @Test("an account from before there was a choice asks all; without one it asks the others")
    func all() async throws {
        let places = ScriptedPlaces()
        places.set { $0.live = ["openstreetmap"] }
        try await PinWorld.with(places) { world in
            #expect(try await world.settings().allNetworks)
            let pin = try await world.create(Self.here)
            #expect(pin.searches.map(\.network).sorted() == ["catalog", "openstreetmap"])
            let less = try await world.update(UpdateSettingsRequest(disableNetworks: ["openstreetmap"]))
            #expect(less.networks == ["catalog", "commons", "folder"] && !less.allNetworks)
        }
    }

    @Test("who chose before there was a folder of pictures gets its photos when there is one, who declined it does not")
    func folder() async throws {
        let albums = ScriptedAlbums()
        albums.networks.names.withLock { $0 = ["commons"] }
        try await PinWorld.with(ScriptedPlaces(), albums, firstNetworks: .unchosen) { world in
            let early = try await world.update(UpdateSettingsRequest(enableNetworks: ["catalog"]))
            #expect(early.networks == ["catalog", "folder"])
            await world.refuses(
                UpdateSettingsRequest(disableNetworks: ["catalog"]), .failedPrecondition,
                "at least one network stays enabled")
            albums.networks.names.withLock { $0 = ["commons", "folder"] }
            #expect(try await world.settings().networks == ["catalog", "folder"])
            let late = try await world.update(UpdateSettingsRequest(disableNetworks: ["folder"]))
            #expect(late.networks == ["catalog"])
            #expect(try await world.settings().networks == ["catalog"])
        }
    }

    @Test("a choice that was stored without a word about the folder of pictures includes it")
    func stored() {
        for text in ["", "*", "catalog folder", "catalog -folder"] {
            #expect(NetworkChoice(stored: text).stored == text)
        }
        #expect(NetworkChoice(stored: "catalog") == .some(["catalog", "folder"]))
    }

    @Test("changes of different networks at once do not undo each other")
    func clash() async throws {
        try await PinWorld.with(ScriptedPlaces(), firstNetworks: .unchosen) { world in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for network in ["catalog", "commons", "folder"] {
                    group.addTask { try await world.update(UpdateSettingsRequest(enableNetworks: [network])) }
                }
                try await group.waitForAll()
            }
            #expect(try await world.settings().networks == ["catalog", "commons", "folder"])
        }
    }

    @Test("while a service is away nothing can be enabled, and one that is enabled can be disabled")
    func away() async throws {
        let albums = ScriptedAlbums()
        try await PinWorld.with(ScriptedPlaces(), albums, firstNetworks: .unchosen) { world in
            try await world.update(UpdateSettingsRequest(enableNetworks: ["catalog", "commons"]))
            albums.networks.names.withLock { $0 = nil }
            await world.refuses(
                UpdateSettingsRequest(enableNetworks: ["folder"]), .unavailable,
                "which networks there are can't be asked now")
            let less = try await world.update(UpdateSettingsRequest(disableNetworks: ["commons"]))
            #expect(less.networks == ["catalog"])
        }
    }
}

@Suite("P34 networks of an account in its searches", .timeLimit(.minutes(2)))
struct NetworkChoiceTests {
    private static let here = CreatePinRequest(60, 25, radius: 500)

    @Test("one that is disabled is asked by no new search, and hides nothing")
    func disabled() async throws {
        let places = ScriptedPlaces()
        places.set { state in
            state.live = ["openstreetmap"]
            state.places = [
                Place(
                    id: "openstreetmap/n1", name: "Cafe", position: Coordinate(latitude: 60.0001, longitude: 25))
            ]
            state.discovered = { _ in NetworkResult(network: "openstreetmap", status: .ok) }
        }
        try await PinWorld.with(places) { world in
            let pin = try await world.create(Self.here)
            try await world.untilPin(pin.id) { $0.state == .ready }
            try await world.update(UpdateSettingsRequest(disableNetworks: ["openstreetmap"]))
            #expect(try await world.places(pin.id).map(\.name) == ["Cafe"])
            let next = try await world.create(Self.here)
            #expect(next.searches.map(\.network) == ["catalog"])
            let move = MovePinRequest(id: pin.id, position: pin.position, force: true)
            let moved = try await world.service.pins.movePin(move, world.service.of("ann")).pin
            #expect(moved?.searches.map(\.network) == ["catalog"])
            try await world.untilPin(pin.id) { $0.state == .ready }
            #expect(try await world.places(pin.id).map(\.name) == ["Cafe"])
        }
    }

    @Test("a search that waits for one is over when that is disabled")
    func underWay() async throws {
        let places = ScriptedPlaces()
        places.set { state in
            state.live = ["openstreetmap"]
            state.discovered = { _ in
                NetworkResult(network: "openstreetmap", status: .unavailable, retryAfterMs: 60_000, message: "busy")
            }
        }
        let clock = ManualClock()
        try await PinWorld.with(places, clock: clock) { world in
            let pin = try await world.create(Self.here)
            try await world.untilPin(pin.id) { $0.searches.contains { $0.state == .retrying } }
            try await world.update(UpdateSettingsRequest(disableNetworks: ["openstreetmap"]))
            clock.move(by: 120_000)
            // Another job has the runner look at the clock again.
            _ = try await world.create(Self.here)
            let ended = try await world.untilPin(pin.id) { $0.searches.contains { $0.state == .disabled } }
            #expect(ended.state == .ready)
            #expect(ended.searches.contains { $0.warning == "it was disabled" })
        }
    }

    @Test("a pin of an account that wants photos alone turns green, and a restart begins nothing for it")
    func photosAlone() async throws {
        try await TemporaryFolder.with { folder in
            let pin = try await PinWorld.with(
                folder: folder, ScriptedPlaces(), ScriptedAlbums(), firstNetworks: .unchosen
            ) { world in
                try await world.update(UpdateSettingsRequest(enableNetworks: ["commons"]))
                let pin = try await world.create(Self.here)
                #expect(pin.searches.isEmpty)
                return try await world.untilPin(pin.id) { $0.state == .ready }
            }
            try await PinWorld.with(folder: folder, ScriptedPlaces(), ScriptedAlbums()) { world in
                let again = try await world.pin(pin.id)
                #expect(again.searches.isEmpty && again.generation == pin.generation)
            }
        }
    }

    @Test("the photo service learns of the choice with each search, and of a change at once")
    func sent() async throws {
        let albums = ScriptedAlbums()
        try await PinWorld.with(ScriptedPlaces(), albums, firstNetworks: .unchosen) { world in
            try await world.update(UpdateSettingsRequest(enableNetworks: ["catalog", "folder"]))
            let pin = try await world.create(Self.here)
            try await world.untilPin(pin.id) { $0.state == .ready }
            let part = albums.state.withLock { $0.parts.last?.networkChoice }
            #expect(part?.networks == ["catalog", "folder"] && part?.all == false)
            try await world.update(UpdateSettingsRequest(enableNetworks: ["commons"]))
            try await albums.choices.wait(for: 2)
            let chosen = albums.state.withLock { $0.chosen["ann"] }
            #expect(chosen?.networks == ["catalog", "commons", "folder"])
            #expect(try #require(chosen).version > (part?.version ?? .max))
        }
    }

    @Test("a pin of a key that is limited to some asks only these, until its owner moves it")
    func limited() async throws {
        let (places, albums) = (ScriptedPlaces(), ScriptedAlbums())
        places.set { state in
            state.live = ["openstreetmap"]
            state.discovered = { _ in NetworkResult(network: "openstreetmap", status: .ok) }
        }
        try await PinWorld.with(places, albums) { world in
            let key = world.service.withKey(of: "ann", for: ["catalog", "commons"])
            let pin = try #require(try await world.service.pins.createPin(Self.here, key).pin)
            #expect(pin.searches.map(\.network) == ["catalog"])
            try await world.untilPin(pin.id) { $0.state == .ready }
            #expect(albums.state.withLock { $0.parts.last?.networkLimit?.networks } == ["catalog", "commons"])
            let error = try await errorOf {
                try await world.service.settings.updateSettings(
                    UpdateSettingsRequest(enableNetworks: ["folder"]), key)
            }
            #expect(error?.code == .permissionDenied)
            let move = MovePinRequest(id: pin.id, position: pin.position, force: true)
            let moved = try await world.service.pins.movePin(move, world.service.of("ann")).pin
            #expect(moved?.searches.map(\.network) == ["catalog", "openstreetmap"])
            try await world.untilPin(pin.id) { $0.generation == 2 && $0.state == .ready }
            #expect(albums.state.withLock { $0.parts.last?.networkLimit } == nil)
        }
    }

    @Test("a key whose networks the account has not enabled creates no pin")
    func nothingInCommon() async throws {
        try await PinWorld.with(ScriptedPlaces(), firstNetworks: .unchosen) { world in
            try await world.update(UpdateSettingsRequest(enableNetworks: ["catalog"]))
            let error = try await errorOf {
                try await world.service.pins.createPin(Self.here, world.service.withKey(of: "ann", for: ["commons"]))
            }
            #expect(error?.code == .permissionDenied)
            #expect(error?.message.contains("none of the networks that this key") == true)
        }
    }

    @Test("pins without any place are searched again where one is enabled")
    func enabled() async throws {
        let places = ScriptedPlaces()
        places.set { state in
            state.live = ["openstreetmap"]
            state.discovered = { _ in NetworkResult(network: "openstreetmap", status: .ok) }
        }
        try await PinWorld.with(places, firstNetworks: .unchosen) { world in
            try await world.update(UpdateSettingsRequest(enableNetworks: ["catalog"]))
            try await world.update(UpdateSettingsRequest(enableNetworks: ["catalog"]), of: "ben")
            let (mine, other) = (try await world.create(Self.here), try await world.create(Self.here, account: "ben"))
            try await world.untilPin(mine.id) { $0.state == .ready }
            try await world.untilPin(other.id, account: "ben") { $0.state == .ready }
            try await world.update(UpdateSettingsRequest(enableNetworks: ["openstreetmap"]))
            let again = try await world.untilPin(mine.id) { $0.generation > 1 && $0.state == .ready }
            #expect(again.searches.map(\.network) == ["catalog", "openstreetmap"])
            #expect(try await world.pin(other.id, account: "ben").generation == 1)
        }
    }
}

extension PinWorld {
    fileprivate func settings(of account: String = "ann") async throws -> Settings {
        try #require(try await service.settings.getSettings(GetSettingsRequest(), service.of(account)).settings)
    }

    @discardableResult
    fileprivate func update(_ request: UpdateSettingsRequest, of account: String = "ann") async throws -> Settings {
        try #require(try await service.settings.updateSettings(request, service.of(account)).settings)
    }

    fileprivate func refuses(_ request: UpdateSettingsRequest, _ code: RPCCode, _ message: String) async {
        let error = await #expect(throws: RPCError.self) { _ = try await update(request) }
        #expect(error?.code == code && error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
}
