import Contracts
import RPC
import Synchronization
import Testing

@testable import Waymark

@Suite("P7 P9 P39 waymark pin")
struct PinCommandTests {
    private let gateway = TestGateway()

    private func keep(_ pins: Pin...) { gateway.pins.state.withLock { $0.pins = pins } }

    @Test("list shows all pages in one table, with what each pin has")
    func list() async throws {
        var second = Sample.pin(.ready, places: 1412)
        second.photoCount = 24
        keep(Sample.pin(.new), second)
        try await gateway.run { run in
            let (_, screen) = await run("pin", "list")
            #expect(
                screen.lines == [
                    "NAME    STATE  PLACES  PHOTOS  RADIUS  POSITION      ID",
                    "Square  new                     500 m  60.17, 24.94  \(Sample.pinID)",
                    "Square  ready   1,412      24   500 m  60.17, 24.94  \(Sample.pinID)",
                ])
        }
    }

    @Test("list without a pin says how to add one")
    func emptyList() async throws {
        try await gateway.run { run in
            let (_, screen) = await run("pin", "list")
            #expect(screen.lines == ["There is no pin; waymark pin add LAT LON adds one."])
        }
    }

    @Test("show tells of one pin, which may be called pin/ID as well", arguments: ["", "pin/"])
    func show(prefix: String) async throws {
        keep(Sample.pin(places: 3))
        try await gateway.run { run in
            let (code, screen) = await run("pin", "show", prefix + Sample.pinID)
            #expect(code == .success)
            #expect(screen.lines.first == "● Square  partial")
            #expect(screen.lines.contains("  places    3"))
        }
    }

    @Test("move sends the point, the radius and whether it must search anew")
    func move() async throws {
        keep(Sample.pin())
        try await gateway.run { run in
            let (_, screen) = await run(
                "pin", "move", Sample.pinID, "-10.5", "170", "--radius", "700", "--force", "--request-id", "m1")
            #expect(screen.lines.last?.contains("-10.5, 170") == true)
        }
        #expect(
            gateway.pins.state.withLock { $0.moved } == [
                MovePinRequest(
                    id: Sample.pinID, position: Coordinate(latitude: -10.5, longitude: 170), radiusM: 700, force: true,
                    requestId: "m1")
            ])
    }

    @Test("P52 note shows the pin with what is kept with it")
    func note() async throws {
        keep(Sample.pin())
        try await gateway.run { run in
            let words = ["pin", "note", Sample.pinID, "Bring coins.\nOpens at ten.", "--visited", "2026-05-04"]
            let (_, screen) = await run(words)
            let lines = screen.lines
            #expect(lines.contains("  visited 2026-05-04"), "\(screen.messages)")
            #expect(lines.contains("  Bring coins.") && lines.contains("  Opens at ten."))
        }
    }

    @Test("rename shows the pin under its new name")
    func rename() async throws {
        keep(Sample.pin())
        try await gateway.run { run in
            let (_, screen) = await run("pin", "rename", Sample.pinID, "Harbour")
            #expect(screen.lines.last?.hasPrefix("Harbour  partial") == true)
        }
    }

    @Test(
        "rm says how many places were linked, and how the pin is added again",
        arguments: [
            (1, "Square is deleted; 1 place was linked to it."),
            (1200, "Square is deleted; 1,200 places were linked to it."),
        ] as [(UInt32, String)])
    func remove(count: UInt32, line: String) async throws {
        keep(Sample.pin(places: count))
        try await gateway.run { run in
            let (_, screen) = await run("pin", "rm", Sample.pinID)
            #expect(screen.lines == [line, "Undo: waymark pin add 60.17 24.94 --radius 500"])
        }
    }

    @Test("the way to add a removed pin again keeps its name, whatever is in it, and its radius")
    func undo() async throws {
        var pin = Sample.pin()
        (pin.name, pin.isNamed, pin.radiusM) = ("Ann's square", true, 1234.5)
        pin.position = Coordinate(latitude: -33.5, longitude: -0.25)
        keep(pin)
        try await gateway.run { run in
            let (_, screen) = await run("pin", "rm", Sample.pinID)
            #expect(
                screen.lines.last == "Undo: waymark pin add -33.5 -0.25 --radius 1234.5 --name 'Ann'\\''s square'")
            let (code, _) = await run("pin", "add", "-33.5", "-0.25", "--radius", "1234.5", "--name", "Ann's square")
            #expect(code == .success)
        }
        let again = gateway.pins.state.withLock { $0.pins.last }
        #expect(again?.name == pin.name && again?.position == pin.position && again?.radiusM == pin.radiusM)
    }

    @Test("places shows one page and how many there are, or all of them")
    func places() async throws {
        gateway.pins.state.withLock { $0.places = [Sample.place(1, photos: 3), Sample.place(2), Sample.place(3)] }
        try await gateway.run { run in
            let (_, page) = await run("pin", "places", Sample.pinID, "--with-photos", "--network", "catalog")
            #expect(
                page.lines == [
                    "DISTANCE  NAME     CATEGORY      PHOTOS  ID",
                    "   100 m  Place 1  amenity/cafe       3  catalog/mine/1",
                    "   200 m  Place 2  amenity/cafe          catalog/mine/2", "",
                    "the nearest 2 of 3 places; --all or --limit shows more",
                ])
            let (_, all) = await run("pin", "places", Sample.pinID, "--all")
            #expect(all.lines.suffix(2) == ["", "3 places"])
        }
        let listed = gateway.pins.state.withLock { $0.listed }
        #expect(
            listed.first
                == ListPinPlacesRequest(id: Sample.pinID, networks: ["catalog"], withPhotos: true, grouped: true))
        #expect(listed.dropFirst().map(\.pageToken) == ["", "2"])
        #expect(listed.dropFirst().map(\.pageSize) == [1000, 1000])
    }

    @Test("places names who has a thing that several have")
    func sources() async throws {
        var place = Sample.place(1)
        place.sources = [PinPlaceSource(id: "foursquare/a"), PinPlaceSource(id: "catalog/second/1")]
        gateway.pins.state.withLock { [place] in $0.places = [place, Sample.place(2)] }
        try await gateway.run { run in
            let (_, page) = await run("pin", "places", Sample.pinID)
            #expect(
                page.lines.prefix(3) == [
                    "DISTANCE  NAME     CATEGORY      SOURCES                   ID",
                    "   100 m  Place 1  amenity/cafe  mine, foursquare, second  catalog/mine/1",
                    "   200 m  Place 2  amenity/cafe                            catalog/mine/2",
                ])
        }
    }

    @Test(
        "bounds names the corners, and whether the box crosses the antimeridian",
        arguments: [
            (nil, "There is nothing to be in a box."),
            ((24.8, 25), "60.1, 24.8 to 60.2, 25"),
            ((179, -178.5), "60.1, 179 to 60.2, -178.5, across the antimeridian"),
        ] as [((Double, Double)?, String)])
    func bounds(longitudes: (Double, Double)?, line: String) async throws {
        let box = longitudes.map { west, east in
            Box(
                southWest: Coordinate(latitude: 60.1, longitude: west),
                northEast: Coordinate(latitude: 60.2, longitude: east))
        }
        gateway.pins.state.withLock { $0.box = box }
        try await gateway.run { run in
            let (_, screen) = await run("pin", "bounds")
            #expect(screen.lines == [line])
        }
    }
}
