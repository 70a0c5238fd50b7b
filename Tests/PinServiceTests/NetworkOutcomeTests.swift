import PinContracts
import PlaceContracts
import FoundationEssentials
import RPC
import Storage
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import PinService

/// What a network answers, and what follows for a pin. The same table is in Docs/Flows.md.
private struct Outcome: Sendable {
    let status: DiscoverStatus
    var message = ""
    /// How many of its places are found all the same.
    var places = 0
    /// How long it wants to be left alone, in milliseconds.
    var pause: UInt64?
    /// Its search when no more of it is waited for.
    let search: NetworkSearchState
    /// Whether the pin waits for it at first.
    var isAwaited = false
    let warning: String
    /// The pin's state when no other network has answered.
    let alone: BaseContracts.PinState
    /// When it is asked again first, in milliseconds from now; nil for never.
    let again: ClosedRange<Int64>?

    /// As the contract calls them, in the order of the table.
    static let names = [
        "OK", "EMPTY", "TRUNCATED", "TIMEOUT", "QUOTA", "AUTH", "MALFORMED", "UNAVAILABLE", "DISABLED",
    ]
    static let hours = UInt64(5 * 3_600_000)
    static let soon: ClosedRange<Int64> = 1_000...2_000

    static let table = [
        Outcome(status: .ok, places: 1, search: .done, warning: "", alone: .ready, again: nil),
        Outcome(status: .empty, search: .done, warning: "", alone: .ready, again: nil),
        Outcome(
            status: .truncated, message: "there are more", places: 1, search: .done, warning: "there are more",
            alone: .ready, again: nil),
        Outcome(
            status: .timeout, message: "it has not answered yet", places: 1, search: .retrying, isAwaited: true,
            warning: "it has not answered yet", alone: .failed, again: soon),
        Outcome(
            status: .quota, message: "no more today", pause: hours, search: .retrying, warning: "no more today",
            alone: .failed, again: Int64(hours)...Int64(hours)),
        Outcome(
            status: .auth, message: "the key is not accepted (401)", search: .retrying,
            warning: "the key is not accepted (401)", alone: .failed, again: soon),
        Outcome(
            status: .malformed, message: "it can't be read", search: .retrying, warning: "it can't be read",
            alone: .failed, again: soon),
        Outcome(
            status: .unavailable, message: "it fails (503)", places: 1, search: .retrying, warning: "it fails (503)",
            alone: .failed, again: soon),
        Outcome(
            status: .disabled, message: "it is switched off", search: .disabled, warning: "it is switched off",
            alone: .failed, again: nil),
    ]
}

/// A pin of the table: a network's outcome, and which of the others answer.
private struct Line: Sendable {
    enum Others: CaseIterable, Sendable {
        case all, some, none
        /// The catalog has nothing there, and the other one has failed.
        case nothing
    }

    let number: Int
    let outcome: Outcome
    let others: Others

    static let all = Outcome.table.flatMap { outcome in Others.allCases.map { (outcome, $0) } }
        .enumerated().map { Line(number: $0, outcome: $1.0, others: $1.1) }

    var latitude: Double { Double(number) * 0.5 + 10 }
    var hasCatalog: Bool { others == .all || others == .some }
    var state: BaseContracts.PinState { hasCatalog ? .ready : outcome.alone }
    /// Places when the networks have ended.
    var places: UInt32 { UInt32(outcome.places) + (others == .all ? 2 : hasCatalog ? 1 : 0) }

    static func at(_ centre: BaseContracts.Coordinate?) -> Line? {
        let number = (((centre?.latitude ?? 0) - 10) / 0.5).rounded()
        return all.indices.contains(Int(number)) ? all[Int(number)] : nil
    }

    func place(of network: String) -> Place {
        var place = Place.north(10, of: latitude, 25, id: "")
        place.id = network == "catalog" ? "catalog/test/\(number)" : "\(network)/\(number)"
        return place
    }
}

@Suite("P4 P7 P68 A network that fails costs its part")
struct NetworkOutcomeTests {
    /// A catalog and two live networks that answer each pin as its line says, until all is well.
    private static func networks(_ recovery: Recovery) -> ScriptedPlaces {
        let places = ScriptedPlaces()
        places.set { state in
            state.live = ["openstreetmap", "foursquare"]
            state.places = Line.all.flatMap { line in
                (line.outcome.places > 0 ? [line.place(of: "openstreetmap")] : [])
                    + (line.others == .all ? [line.place(of: "foursquare")] : [])
                    + (line.hasCatalog ? [line.place(of: "catalog")] : [])
            }
            state.fault = { request in
                guard !recovery.isOver, request.networks == ["catalog"],
                    Line.at(request.centre)?.others == Line.Others.none
                else { return nil }
                return RPCError(.internalError, "the catalog is broken")
            }
            state.discovered = { request in
                let network = request.networks.first ?? ""
                guard !recovery.isOver, let line = Line.at(request.centre) else {
                    return NetworkResult(network: network, status: .ok, placeCount: 1)
                }
                if network == "foursquare" {
                    return line.others == .all
                        ? NetworkResult(network: network, status: .ok, placeCount: 1)
                        : NetworkResult(network: network, status: .unavailable, message: "it fails (502)")
                }
                return NetworkResult(
                    network: network, status: line.outcome.status, placeCount: UInt32(line.outcome.places),
                    retryAfterMs: line.outcome.pause, message: line.outcome.message)
            }
        }
        return places
    }

    @Test("each line of the table: state, warnings and counts at once, when it is asked again, and all when it is back")
    func table() async throws {
        let recovery = Recovery()
        let (places, albums) = (Self.networks(recovery), ScriptedAlbums())
        try await PinWorld.with(places, albums) { world in
            #expect(await eventually { world.service.networks.current.count == 3 })
            var ids: [String] = []
            for line in Line.all {
                ids.append(try await world.create(CreatePinRequest(line.latitude, 25, name: "x")).id)
            }
            try await world.untilNothingIsDue()
            for (line, id) in zip(Line.all, ids) { try await Self.checkAtFirst(line, id, world) }
            for _ in 1..<NetworkSearch.maximumLates {
                world.pass(milliseconds: 60_000)
                try await world.untilNothingIsDue()
            }
            for (line, id) in zip(Line.all, ids) { try await Self.checkEnded(line, id, world) }
            recovery.end()
            places.set { state in
                state.places = Line.all.flatMap { line in
                    ["catalog", "openstreetmap", "foursquare"].map { line.place(of: $0) }
                }
            }
            albums.set { state in for line in Line.all { state.photos["foursquare/\(line.number)"] = 7 } }
            world.pass(milliseconds: 86_400_000)
            try await world.untilNothingIsDue()
            for (line, id) in zip(Line.all, ids) { try await Self.checkBack(line, id, world) }
        }
    }

    @Test("Docs/Flows.md has the same lines")
    func documented() throws {
        let root = try #require(#filePath.split(separator: "/Tests/").first)
        let flows = try String(contentsOfFile: "\(root)/Docs/Flows.md", encoding: .utf8)
        #expect(Outcome.names.count == Outcome.table.count)
        for (name, outcome) in zip(Outcome.names, Outcome.table) {
            let last = outcome.search == .retrying ? "RETRYING" : outcome.search == .disabled ? "DISABLED" : "DONE"
            let alone = outcome.alone == .ready ? "READY" : "FAILED"
            let line = try #require(flows.split(separator: "\n").first { $0.hasPrefix("| \(name) |") })
            #expect(line.hasPrefix("| \(name) | READY | \(alone) |") && line.contains(last), "\(line)")
            #expect(line.contains("never") == (outcome.again == nil) || outcome.search == .disabled, "\(line)")
        }
    }

    private static func checkAtFirst(_ line: Line, _ id: String, _ world: PinWorld) async throws {
        let key = "\(id)/openstreetmap"
        let next = try await world.nextTime(of: Work.discovery(at: "openstreetmap"), key)
        let wait = next.map { $0 - world.clock.now }
        #expect(wait == nil ? line.outcome.again == nil : line.outcome.again?.contains(wait ?? 0) == true, "\(line)")
        if line.outcome.isAwaited {
            let pin = try await world.pin(id)
            #expect(pin.state == .partial && pin.placeCount == line.places, "\(line)")
            let search = pin.searches.first { $0.network == "openstreetmap" }
            #expect(search?.state == .searching && search?.warning == line.outcome.warning, "\(line)")
        } else {
            try await checkEnded(line, id, world)
        }
    }

    private static func checkEnded(_ line: Line, _ id: String, _ world: PinWorld) async throws {
        let pin = try await world.untilPin(id) { $0.state == line.state }
        #expect(pin.placeCount == line.places, "\(line)")
        let search = try #require(pin.searches.first { $0.network == "openstreetmap" })
        let isAgain = line.outcome.search == .retrying
        #expect(search.state == line.outcome.search, "\(line)")
        #expect(search.warning == line.outcome.warning + (isAgain ? "; it is asked again" : ""), "\(line)")
        #expect(search.placeCount == UInt32(line.outcome.places), "\(line)")
        // Its photos wait for no network.
        #expect(pin.album?.state == .empty, "\(line)")
    }

    private static func checkBack(_ line: Line, _ id: String, _ world: PinWorld) async throws {
        let isOff = line.outcome.search == .disabled
        let isAskedAgain = line.outcome.search == .retrying
        // A catalog that has answered is not asked again.
        let fromOthers: UInt32 = line.others == .nothing ? 1 : 2
        let expected = fromOthers + (isAskedAgain ? 1 : UInt32(line.outcome.places))
        let pin = try await world.untilPin(id) {
            $0.state == .ready && $0.placeCount == expected && $0.photoCount == (line.others == .all ? 0 : 7)
        }
        let warnings = pin.searches.map(\.warning).filter { !$0.isEmpty }
        #expect(warnings == (isAskedAgain || line.outcome.warning.isEmpty ? [] : [line.outcome.warning]), "\(line)")
        #expect(pin.searches.allSatisfy { $0.state == .done || isOff && $0.state == .disabled }, "\(line)")
    }

    @Test("while the places service is away all pins are FAILED and say so, with their own photos; then READY")
    func placesAway() async throws {
        let (places, albums) = (DiscoveryTests.places(3), ScriptedAlbums())
        places.set { $0.fault = { _ in RPCError(.unavailable, "the places service can't be reached now") } }
        try await PinWorld.with(places, albums) { world in
            var ids: [String] = []
            for _ in 0..<5 { ids.append(try await world.create(CreatePinRequest(60, 25, name: "x")).id) }
            for id in ids {
                let pin = try await world.passing(id) { $0.state == .failed && $0.album?.state == .empty }
                #expect(
                    pin.searches.map(\.warning) == ["the places service can't be reached now; it is asked again"])
            }
            places.set { $0.fault = nil }
            for id in ids {
                let pin = try await world.passing(id) { $0.state == .ready }
                #expect(pin.placeCount == 3 && pin.searches.allSatisfy { $0.state == .done && $0.warning.isEmpty })
            }
        }
    }

    @Test("while the photo service is away all pins are READY and say so; their photos come when it is back")
    func photosAway() async throws {
        let (places, albums) = (DiscoveryTests.places(3), ScriptedAlbums())
        albums.set { state in
            state.photos = ["catalog/test/1": 4]
            state.fault = RPCError(.unavailable, "the photo service can't be reached now")
        }
        try await PinWorld.with(places, albums) { world in
            var ids: [String] = []
            for _ in 0..<5 { ids.append(try await world.create(CreatePinRequest(60, 25, name: "x")).id) }
            for id in ids {
                let pin = try await world.passing(id) { $0.state == .ready }
                #expect(pin.photoWarning == "the photo service can't be reached now; it is asked again")
                #expect(pin.placeCount == 3 && pin.album?.state == .failed)
            }
            albums.set { $0.fault = nil }
            for id in ids {
                let pin = try await world.passing(id) { $0.photoWarning.isEmpty && $0.photoCount == 4 }
                #expect(pin.state == .ready && pin.album?.state == .empty)
            }
        }
    }

    @Test("what the album lacks is told with the pin")
    func albumWarning() async throws {
        let albums = ScriptedAlbums()
        try await PinWorld.with(DiscoveryTests.places(3), albums) { world in
            let created = try await world.create(CreatePinRequest(60, 25, name: "x"))
            try await world.untilPin(created.id) { $0.state == .ready }
            let subject = "pin/\(created.id)"
            albums.set {
                $0.tell(subject, AlbumSummary(state: .empty), generation: 1, warning: "flickr: it fails (503)")
            }
            try await world.untilPin(created.id) { $0.photoWarning == "flickr: it fails (503)" }
            albums.set { $0.tell(subject, AlbumSummary(state: .empty), generation: 1) }
            try await world.untilPin(created.id) { $0.photoWarning.isEmpty }
        }
    }

    @Test("pins that an earlier program let hang come right at the next start, whatever became of their work")
    func hanging() async throws {
        let places = Self.networks(Recovery())
        try await TemporaryFolder.with { folder in
            let albums = ScriptedAlbums()
            let ids = try await PinWorld.with(folder: folder, places, albums) { world in
                #expect(await eventually { world.service.networks.current.count == 3 })
                var ids: [String] = []
                for _ in 0..<3 {
                    let created = try await world.create(CreatePinRequest(60, 25, name: "x"))
                    try await world.untilPin(created.id) { $0.state == .ready }
                    ids.append(created.id)
                }
                try await world.untilNothingIsDue()
                // One waits for a network, one for work that is not there, one for photos.
                try await world.store.database.write { [ids] transaction throws(SQLError) in
                    for (number, id) in ids.enumerated() {
                        guard let pin = PinID(id) else { continue }
                        try transaction.execute("UPDATE pins SET state = 2, album_generation = 0 WHERE id = ?1", pin)
                        guard number < 2 else { continue }
                        try transaction.execute(
                            "UPDATE pin_searches SET state = ?2 WHERE pin = ?1 AND network = 'foursquare'", pin,
                            2 - number)
                        guard number == 0 else { continue }
                        let (kind, key) = (Work.discovery(at: "foursquare"), Work.key(pin, "foursquare"))
                        try transaction.enqueue(kind, key, at: world.clock.now + 20_000)
                    }
                }
                return ids
            }
            places.set { $0.discovered = { NetworkResult(network: $0.networks.first ?? "", status: .unavailable) } }
            try await PinWorld.with(folder: folder, places, albums) { world in
                for id in ids { try await world.untilPin(id) { $0.state == .ready } }
            }
        }
    }
}

/// Whether the networks have recovered.
private final class Recovery: Sendable {
    private let flag = Mutex(false)

    var isOver: Bool { flag.withLock { $0 } }

    func end() { flag.withLock { $0 = true } }
}

extension PinWorld {
    /// Returns when no job runs, and none is to run now.
    func untilNothingIsDue() async throws {
        while try await store.database.read(
            .snapshot,
            { [now = clock.now] transaction throws(SQLError) in
                try transaction.first(
                    "SELECT count(*) FROM jobs WHERE lease <> 0 OR next_ms <= ?1", transaction.shared(now)
                ) { row throws(SQLError) in try row.integer(0) }
            }) != 0
        { await Task.yield() }
    }

    /// When a job is due, in milliseconds since 1970; nil when there is none.
    fileprivate func nextTime(of kind: String, _ key: String) async throws -> Int64? {
        try await store.database.read { transaction throws(SQLError) in
            try transaction.first("SELECT next_ms FROM jobs WHERE kind = ?1 AND key = ?2", kind, key) {
                row throws(SQLError) in try row.integer(0) - transaction.shared(0)
            }
        }
    }
}
