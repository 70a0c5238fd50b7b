import PinContracts
import RPC
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("P52 pins of a file come with their lists", .timeLimit(.minutes(5)))
struct PinImportListTests {
    private static let kml = """
        <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Trip</name>
        <Folder><name>Food</name>
        <Placemark><name>A</name><Point><coordinates>24.9,60.1</coordinates></Point></Placemark>
        <Placemark><name>B</name><Point><coordinates>24.8,60.2</coordinates></Point></Placemark></Folder>
        <Folder><name>Parks\n2026</name>
        <Placemark><name>C</name><Point><coordinates>24.7,60.3</coordinates></Point></Placemark></Folder>
        <Placemark><name>D</name><Point><coordinates>24.6,60.4</coordinates></Point></Placemark>
        </Document></kml>
        """

    private func lists(_ service: RunningPinService, of account: String = "ann") async throws -> [PinContracts.PinList]
    {
        try await service.lists.listLists(ListListsRequest(), service.of(account)).lists
    }

    /// The names of the pins in a list.
    private func names(_ service: RunningPinService, in list: PinContracts.PinList) async throws -> [String] {
        let request = ListPinsOfListRequest(id: list.id)
        return try await service.lists.listPinsOfList(request, service.of("ann")).pins.map(\.name).sorted()
    }

    @Test("a list of that name is used, one that is missing is made; a trial says how many there are")
    func made() async throws {
        try await RunningPinService.with { service in
            let own = CreateListRequest(name: "Food", colour: .pink)
            let food = try #require(try await service.lists.createList(own, service.of("ann")).list)
            let trial = try await service.importing(Self.kml, name: "a.kml", isTrial: true)
            #expect(trial.import.listCount == 3 && trial.import.leftOutListCount == 0)
            #expect(try await lists(service) == [food])
            _ = try await service.importing(Self.kml, name: "a.kml")
            let found = try await lists(service)
            #expect(found.map(\.name) == ["Food", "Parks 2026", "Trip"] && found.map(\.pinCount) == [2, 1, 1])
            #expect(found.first?.id == food.id && found.first?.colour == .pink)
            let (inFood, inParks) = (try await names(service, in: found[0]), try await names(service, in: found[1]))
            #expect(inFood == ["A", "B"] && inParks == ["C"])
        }
    }

    @Test("a list whose pins say no colour has that of its group, which stands at the end of the file")
    func groups() async throws {
        try await RunningPinService.with { service in
            _ = try await service.importing(
                """
                <gpx version="1.1" creator="OsmAnd 4"><wpt lat="1" lon="2"><name>A</name><type>Food</type></wpt>
                <wpt lat="1" lon="3"><name>B</name><type>Tea</type><extensions><color>#00ff00</color></extensions></wpt>
                <extensions><osmand:points_groups><group name="Food" color="#d00d0d"/><group name="Tea" color="#0000ff"/>
                </osmand:points_groups></extensions></gpx>
                """)
            let found = try await lists(service)
            #expect(Set(found.map { "\($0.name) \($0.colour.rawValue)" }) == ["Food 1", "Tea 4"])
        }
    }

    @Test("pins that are there already are put into no list, and no list is made for them")
    func known() async throws {
        try await RunningPinService.with { service in
            let ended = try await service.importing(Self.kml, name: "a.kml")
            for list in try await lists(service) {
                _ = try await service.lists.deleteList(DeleteListRequest(id: list.id), service.of("ann"))
            }
            let again = try await service.importing(Self.kml, name: "a.kml")
            #expect(ended.import.addedCount == 4 && again.import.addedCount == 0)
            #expect(try await lists(service).isEmpty)
        }
    }

    @Test("an undo takes the lists back that it has made, but not those that were changed or have other pins")
    func undone() async throws {
        try await RunningPinService.with { service in
            let options = service.of("ann")
            let more = Self.kml.replacing(
                "Trip</name>",
                with: "Trip</name>"
                    + (1...3).map { number in
                        "<Folder><name>\(number)</name><Placemark><name>\(number)</name><Point><coordinates>\(number),1"
                            + "</coordinates></Point></Placemark></Folder>"
                    }.joined())
            let ended = try await service.importing(more, name: "a.kml")
            let made = try await lists(service)
            #expect(made.count == 6)
            let mine = try #require(try await service.pins.createPin(CreatePinRequest(1, 2, name: "Mine"), options).pin)
            let (kept, renamed) = (
                try #require(made.first { $0.name == "1" }), try #require(made.first { $0.name == "2" })
            )
            _ = try await service.lists.addToList(AddToListRequest(id: kept.id, pinIds: [mine.id]), options)
            _ = try await service.lists.changeList(ChangeListRequest(id: renamed.id, name: "Two"), options)
            _ = try await service.files.undoPinImport(UndoPinImportRequest(id: ended.import.id), options)
            let left = try await lists(service)
            #expect(Set(left.map(\.name)) == ["1", "Two"])
            #expect(left.first { $0.name == "1" }?.pinCount == 1 && left.first { $0.name == "Two" }?.pinCount == 0)
        }
    }

    @Test("lists that an account has no room for are left out and counted; their pins come all the same")
    func tooMany() async throws {
        try await RunningPinService.with { service in
            _ = try await service.lists.createList(CreateListRequest(name: "7"), service.of("ann"))
            let folders = (0..<300).map { number in
                "<Folder><name>\(number)</name><Placemark><Point><coordinates>\(Double(number) / 10),1</coordinates>"
                    + "</Point></Placemark></Folder>"
            }.joined()
            let ended = try await service.importing("<kml><Document>\(folders)</Document></kml>", name: "a.kml")
            #expect(ended.import.addedCount == 300 && ended.import.listCount == 300)
            #expect(ended.import.leftOutListCount == 100)
            let found = try await lists(service)
            #expect(found.count == 200 && found.allSatisfy { $0.pinCount == 1 })
        }
    }

    @Test(
        "they go out with their pins, and come to another account with names and colours",
        arguments: [
            PinFileFormat.geojson, .gpx, .kml, .kmz,
        ])
    func roundTrip(format: PinFileFormat) async throws {
        try await RunningPinService.with { service in
            let options = service.of("ann")
            let a = try #require(try await service.pins.createPin(CreatePinRequest(1, 2, name: "A"), options).pin)
            let b = try #require(try await service.pins.createPin(CreatePinRequest(3, 4, name: "B"), options).pin)
            for (name, colour, pins) in [("x & <y>", ListColour.teal, [a.id, b.id]), ("z", .brown, [b.id])] {
                let made = try await service.lists.createList(CreateListRequest(name: name, colour: colour), options)
                let list = try #require(made.list)
                _ = try await service.lists.addToList(AddToListRequest(id: list.id, pinIds: pins), options)
            }
            for ids in [[], [a.id, b.id]] {
                var bytes: [UInt8] = []
                let request = ExportPinsRequest(format: format, pinIds: ids)
                for try await part in service.files.exportPins(request, options) { bytes += part.data }
                let account = ids.isEmpty ? "bob" : "eve"
                let ended = try await service.importing(bytes: bytes, of: account)
                #expect(ended.import.addedCount == 2 && ended.import.listCount == 2)
                let found = try await lists(service, of: account).sorted { $0.name < $1.name }
                #expect(found.map(\.name) == ["x & <y>", "z"] && found.map(\.colour) == [.teal, .brown])
                #expect(found.map(\.pinCount) == [2, 1])
            }
        }
    }
}
