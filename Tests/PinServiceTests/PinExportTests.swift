import PinContracts
import RPC
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("P52 pins go out as a file", .timeLimit(.minutes(5)))
struct PinExportTests {
    private func exported(
        _ service: RunningPinService, _ format: PinFileFormat, _ ids: [String] = []
    ) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        let request = ExportPinsRequest(format: format, pinIds: ids)
        for try await part in service.files.exportPins(request, service.of("ann")) { bytes += part.data }
        return bytes
    }

    private func pins(_ service: RunningPinService, of account: String) async throws -> [PinContracts.Pin] {
        var pins: [PinContracts.Pin] = []
        for pin in try await service.pins.listPins(ListPinsRequest(), service.of(account)).pins {
            pins.append(try #require(try await service.pins.getPin(GetPinRequest(id: pin.id), service.of(account)).pin))
        }
        return pins
    }

    @Test("of one account to another without a loss", arguments: [PinFileFormat.geojson, .gpx, .kml, .kmz])
    func roundTrip(format: PinFileFormat) async throws {
        try await RunningPinService.with { service in
            let options = service.of("ann")
            let create = CreatePinRequest(60.1, 24.9, radius: 500, name: "Kauppa & <b>tori</b>")
            let first = try #require(try await service.pins.createPin(create, options).pin)
            _ = try await service.pins.annotatePin(
                AnnotatePinRequest(id: first.id, note: "Two\n  lines \"and\" <i>more</i>", visitedDate: "2024-02-29"),
                options)
            _ = try await service.pins.createPin(CreatePinRequest(-33.9, 151.2), options)
            let bytes = try await exported(service, format)
            let same = try await service.importing(bytes: bytes)
            #expect(same.import.knownCount == 2 && same.import.addedCount == 0)
            let other = try await service.importing(bytes: bytes, of: "bob")
            #expect(other.import.addedCount == 2 && other.import.badCount == 0)
            let (mine, theirs) = (try await pins(service, of: "ann"), try await pins(service, of: "bob"))
            for (pin, copy) in zip(mine.sorted { $0.name < $1.name }, theirs.sorted { $0.name < $1.name }) {
                #expect(pin.name == copy.name && pin.note == copy.note && pin.visitedDate == copy.visitedDate)
                #expect(pin.position == copy.position && pin.radiusM == copy.radiusM && pin.isNamed == copy.isNamed)
                #expect(pin.createTime == copy.createTime && pin.id != copy.id)
            }
        }
    }

    @Test("only those that are given; one that is not there is an error, and no format of others")
    func some() async throws {
        try await RunningPinService.with { service in
            let options = service.of("ann")
            let pin = try #require(try await service.pins.createPin(CreatePinRequest(1, 2, name: "A"), options).pin)
            _ = try await service.pins.createPin(CreatePinRequest(3, 4, name: "B"), options)
            let text = String(decoding: try await exported(service, .unspecified, [pin.id]), as: UTF8.self)
            #expect(text.contains("\"A\"") && !text.contains("\"B\""))
            let refusal = await #expect(throws: RPCError.self) {
                try await exported(service, .gpx, ["0190163d-8694-739b-aea5-966c26f8ad91"])
            }
            #expect(refusal?.code == .notFound)
        }
    }

    @Test("every pin once, however many there are")
    func many() async throws {
        try await RunningPinService.with { service in
            let pins = (0..<2_500).map { #"<wpt lat="\#(Double($0) / 100)" lon="1"><name>\#($0)</name></wpt>"# }
                .joined()
            _ = try await service.importing("<gpx>\(pins)</gpx>")
            let bytes = try await exported(service, .kmz)
            let again = try await service.importing(bytes: bytes, of: "bob")
            #expect(again.import.addedCount == 2_500)
        }
    }

    @Test(
        "nothing of a list, a note, a time or a visit is lost where only other programs' words are read",
        arguments: [PinFileFormat.gpx, .kml])
    func foreign(format: PinFileFormat) async throws {
        try await RunningPinService.with { service in
            let options = service.of("ann")
            for index in 1...10 {
                let colour = ListColour(rawValue: Int32(index))
                let new = CreateListRequest(name: "List \(index)", colour: colour)
                let list = try #require(try await service.lists.createList(new, options).list)
                let create = CreatePinRequest(60.1, 20 + Double(index), name: "Pin \(index)")
                let pin = try #require(try await service.pins.createPin(create, options).pin)
                let note = AnnotatePinRequest(
                    id: pin.id, note: "A <b>\nhttps://example.org/?a&b", visitedDate: "2024-02-29")
                _ = try await service.pins.annotatePin(note, options)
                _ = try await service.lists.addToList(AddToListRequest(id: list.id, pinIds: [pin.id]), options)
            }
            let text = String(decoding: try await exported(service, format), as: UTF8.self)
            let foreign = text.replacing("urn:waymark:pins:1", with: "urn:of:others")
            let ended = try await service.importing(foreign, of: "bob")
            #expect(ended.import.addedCount == 10 && ended.import.badCount == 0)
            let (mine, theirs) = (try await pins(service, of: "ann"), try await pins(service, of: "bob"))
            for (pin, copy) in zip(mine.sorted { $0.name < $1.name }, theirs.sorted { $0.name < $1.name }) {
                #expect(pin.name == copy.name && pin.note == copy.note && pin.visitedDate == copy.visitedDate)
                #expect(pin.position == copy.position && pin.createTime == copy.createTime)
            }
            var colours: [String: Set<ListColour>] = [:]
            for account in ["ann", "bob"] {
                for list in try await service.lists.listLists(ListListsRequest(), service.of(account)).lists {
                    colours[list.name, default: []].insert(list.colour)
                    #expect(list.pinCount == 1)
                }
            }
            // Garmin has fewer colours, but OsmAnd's word for it stands beside.
            #expect(colours.count == 10 && colours.values.allSatisfy { $0.count == 1 }, "\(colours)")
        }
    }

    @Test("pins of a list come together, each once, in whichever order they were made")
    func grouped() async throws {
        try await RunningPinService.with { service in
            let options = service.of("ann")
            for name in ["A", "B"] {
                _ = try await service.lists.createList(CreateListRequest(name: name, colour: .red), options)
            }
            var ids: [String] = []
            // Two of the same millisecond are in either order.
            for (index, list) in try await service.lists.listLists(ListListsRequest(), options).lists.enumerated() {
                for number in 0..<4 {
                    let create = CreatePinRequest(Double(number), Double(index), name: "\(list.name)\(number)")
                    ids.append(try #require(try await service.pins.createPin(create, options).pin).id)
                }
                // The second list has pins of the first one too, which are in its folder.
                _ = try await service.lists.addToList(AddToListRequest(id: list.id, pinIds: ids), options)
            }
            _ = try await service.pins.createPin(CreatePinRequest(50, 50, name: "Free"), options)
            for wanted in [[], Array(ids.shuffled())] {
                let text = String(decoding: try await exported(service, .kml, wanted), as: UTF8.self)
                #expect(text.ranges(of: "<Folder>").count == 2)
                #expect(text.ranges(of: "<Placemark>").count == (wanted.isEmpty ? 9 : 8))
            }
        }
    }
}
