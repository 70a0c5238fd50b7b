import BaseContracts
import Geo
import PinContracts
import RPC
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("P56 Entries of files without a position", .timeLimit(.minutes(3)))
struct UnplacedTests {
    /// A saved list of Takeout: one place with a position, three without, and a row that says nothing.
    private static let table = """
        Title,Note,URL,Comment
        Here,,"https://www.google.com/maps/search/60.1951,24.9951",
        Cafe Regatta,cinnamon,https://www.google.com/maps/place/Cafe/data=!4m2!3m1!1s0x1:0xcd4ebd843be2f763,
        Far away,,https://maps.google.com/?cid=2,
        Unknown,,https://maps.google.com/?cid=3,
        ,,https://maps.google.com/?cid=4,
        """
    private static let kml = """
        <kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder><name>Layer</name><Placemark><name>Office</name>
        <address>Mannerheimintie 20, Helsinki</address></Placemark></Folder></Document></kml>
        """

    private static func point(_ latitude: Double, _ longitude: Double) throws -> Geo.Coordinate {
        try Geo.Coordinate(latitude: latitude, longitude: longitude)
    }

    private static func finder() throws -> ScriptedFinder {
        func place(_ name: String, _ latitude: Double, _ longitude: Double) throws -> FoundPoint {
            FoundPoint(
                name: name, context: "Helsinki", position: try point(latitude, longitude), isAddress: false,
                isPlace: true)
        }
        return ScriptedFinder([
            "Cafe Regatta": try place("Café Regatta", 60.18, 24.91), "Far away": try place("Far away", 40, -70),
            "Mannerheimintie 20, Helsinki": FoundPoint(
                name: "Mannerheimintie 20", context: "Helsinki", position: try point(60.169, 24.939), isAddress: true,
                isPlace: false),
        ])
    }

    private func with(
        _ finder: ScriptedFinder, _ body: (RunningPinService) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try await RunningPinService.with(folder: folder, finder: finder) { service, _ in try await body(service) }
        }
    }

    private func all(_ service: RunningPinService, of account: String = "ann") async throws -> [UnplacedPin] {
        try await service.unplaced.listUnplacedPins(ListUnplacedPinsRequest(), service.of(account)).pins
    }

    @Test("of a saved list are kept, and looked up by name near the list's others: sure where the whole name is near")
    func lookedUp() async throws {
        let finder = try Self.finder()
        try await with(finder) { service in
            let ended = try await service.importing(Self.table, name: "Want to go.csv")
            #expect(ended.import.pinCount == 1 && ended.import.addedCount == 1 && ended.import.unplacedCount == 3)
            #expect(ended.bad.map(\.number) == [6])
            let found = try await all(service)
            #expect(found.map(\.name) == ["Cafe Regatta", "Far away", "Unknown"])
            #expect(found.map { $0.suggestion?.isSure } == [true, false, nil])
            #expect(found.first?.note == "cinnamon" && found.first?.lists == ["Want to go"])
            #expect(found.first?.fileName == "Want to go.csv" && found.first?.suggestion?.name == "Café Regatta")
            let near = finder.asked.withLock { $0["Cafe Regatta"] }
            #expect(near == .some(.some(try Self.point(60.1951, 24.9951))))
            #expect(try await all(service, of: "eve").isEmpty)
        }
    }

    @Test("an address alone is looked up, and is sure where its very house is found")
    func address() async throws {
        try await with(try Self.finder()) { service in
            let ended = try await service.importing(Self.kml, name: "map.kml")
            #expect(ended.import.pinCount == 0 && ended.import.unplacedCount == 1)
            let found = try await all(service)
            #expect(found.map(\.address) == ["Mannerheimintie 20, Helsinki"] && found.first?.name == "Office")
            #expect(found.first?.suggestion?.isSure == true)
        }
    }

    @Test("become pins with all that their file says, in its lists, once however often that is asked for")
    func placed() async throws {
        try await with(try Self.finder()) { service in
            let ended = try await service.importing(Self.table, name: "Want to go.csv")
            let entry = try #require(try await all(service).first)
            let request = PlacePinsRequest(
                pins: [PlacedPin(id: entry.id, position: entry.suggestion?.position)], requestId: "one")
            let made = try await service.unplaced.placePins(request, service.of("ann"))
            let again = try await service.unplaced.placePins(request, service.of("ann"))
            #expect(made.pinIds.count == 1 && made == again)
            let pins = try await service.pins.listPins(ListPinsRequest(), service.of("ann")).pins
            let pin = try #require(pins.first { $0.name == "Cafe Regatta" })
            #expect(pin.position == BaseContracts.Coordinate(latitude: 60.18, longitude: 24.91) && pin.hasNote)
            let lists = try await service.lists.listLists(ListListsRequest(pinId: pin.id), service.of("ann")).lists
            #expect(lists.map(\.name) == ["Want to go"])
            #expect(try await all(service).map(\.name) == ["Far away", "Unknown"])
            let imports = try await service.files.listPinImports(ListPinImportsRequest(), service.of("ann")).imports
            #expect(imports.first?.unplacedCount == 2 && imports.first?.addedCount == 2)
            _ = try await service.files.undoPinImport(UndoPinImportRequest(id: ended.import.id), service.of("ann"))
            #expect(try await service.pins.listPins(ListPinsRequest(), service.of("ann")).pins.isEmpty)
            #expect(try await all(service).isEmpty)
        }
    }

    @Test("that no pin could be made of are said when the file is read, and not kept to be lost later")
    func odd() async throws {
        try await with(try Self.finder()) { service in
            let table =
                "Title,URL,visited_date\nA,https://maps.google.com/?cid=2,some day\nB,https://maps.google.com/?cid=3,\n"
            let ended = try await service.importing(table, name: "Odd.csv")
            #expect(ended.bad.map(\.number) == [2] && ended.bad.first?.reason.contains("visited_date") == true)
            #expect(try await all(service).map(\.name) == ["B"])
        }
    }

    @Test("are placed all or none, by their own account alone, and are deleted when they are not wanted")
    func refused() async throws {
        try await with(try Self.finder()) { service in
            _ = try await service.importing(Self.table, name: "Want to go.csv")
            let entries = try await all(service)
            let somewhere = BaseContracts.Coordinate(latitude: 1, longitude: 2)
            let file = try #require(entries.first?.id.split(separator: ".").first)
            let gone = PlacedPin(id: "\(file).99", position: somewhere)
            let wanted = PlacedPin(id: try #require(entries.first?.id), position: somewhere)
            for (pins, account) in [([wanted, gone], "ann"), ([wanted], "eve")] {
                let error = try await errorOf {
                    try await service.unplaced.placePins(PlacePinsRequest(pins: pins), service.of(account))
                }
                #expect(error?.code == .notFound)
            }
            let odd = try await errorOf {
                try await service.unplaced.placePins(
                    PlacePinsRequest(pins: [PlacedPin(id: "x", position: somewhere)]), service.of("ann"))
            }
            #expect(odd?.message.hasPrefix("pins[0].id: \"x\" is not allowed") == true, "\(String(describing: odd))")
            #expect(try await all(service).count == 3)
            let ids = entries.map(\.id)
            for count in [3, 0] {
                let answer = try await service.unplaced.deleteUnplacedPins(
                    DeleteUnplacedPinsRequest(ids: ids), service.of("ann"))
                #expect(answer.deletedCount == UInt32(count))
            }
        }
    }

    @Test("are there without suggestions, and with the reason, while the places service is away; and page by page")
    func away() async throws {
        try await with(ScriptedFinder(error: .unreachable("gone"))) { service in
            _ = try await service.importing(Self.table, name: "Want to go.csv")
            var (names, token): ([String], String) = ([], "")
            repeat {
                let answer = try await service.unplaced.listUnplacedPins(
                    ListUnplacedPinsRequest(pageSize: 2, pageToken: token), service.of("ann"))
                #expect(answer.warning == "the places service can't be reached now" && answer.totalCount == 3)
                names += answer.pins.map(\.name)
                token = answer.nextPageToken
            } while !token.isEmpty
            #expect(names == ["Cafe Regatta", "Far away", "Unknown"])
        }
    }
}
