import PinContracts
import RPC
import TestSupport
import Testing
import Wire

@testable import PinService

@Suite("P2 P5 P8 Changing a pin")
struct ChangePinTests {
    private func create(_ service: RunningPinService, name: String = "") async throws -> PinContracts.Pin {
        try #require(
            try await service.pins.createPin(CreatePinRequest(60.1, 24.9, name: name), service.of("ann")).pin)
    }

    @Test("moving begins a new generation, NEW, at the new place, and a name that nobody chose goes along")
    func move() async throws {
        try await RunningPinService.with { service in
            let pin = try await create(service)
            #expect(pin.generation == 1)
            let request = MovePinRequest(
                id: pin.id, position: Coordinate(latitude: 61, longitude: 25), radiusM: 300)
            let moved = try #require(try await service.pins.movePin(request, service.of("ann")).pin)
            #expect(moved.generation == 2)
            #expect(moved.state == .new)
            #expect(moved.position == Coordinate(latitude: 61, longitude: 25))
            #expect(moved.radiusM == 300)
            #expect(moved.name == "61, 25")
            #expect(moved.version > pin.version)
            #expect(moved.searches.map(\.network) == ["catalog"])
            #expect(try await service.pins.getPin(GetPinRequest(id: pin.id), service.of("ann")).pin == moved)
            let near = try await service.pins.pinsNear(PinsNearRequest(61, 25, radius: 1), service.of("ann"))
            #expect(near.pins.map(\.id) == [pin.id], "it is found where it is now")
        }
    }

    @Test("a move to the same place changes nothing unless it is forced")
    func sameplace() async throws {
        try await RunningPinService.with { service in
            let pin = try await create(service)
            var request = MovePinRequest(id: pin.id, position: pin.position, radiusM: pin.radiusM)
            #expect(try await service.pins.movePin(request, service.of("ann")).pin == pin)
            request.force = true
            #expect(try await service.pins.movePin(request, service.of("ann")).pin?.generation == 2)
            request.force = false
            request.radiusM = 999
            #expect(try await service.pins.movePin(request, service.of("ann")).pin?.generation == 3)
        }
    }

    @Test("a name that a person chose stays when the pin moves; an empty one gives it back")
    func rename() async throws {
        try await RunningPinService.with { service in
            let pin = try await create(service)
            #expect(!pin.isNamed)
            let renamed = try await service.pins.renamePin(
                RenamePinRequest(id: pin.id, name: " Home "), service.of("ann")
            ).pin
            #expect(renamed?.name == "Home")
            #expect(renamed?.isNamed == true)
            let request = MovePinRequest(id: pin.id, position: Coordinate(latitude: 61, longitude: 25))
            #expect(try await service.pins.movePin(request, service.of("ann")).pin?.name == "Home")
            let unnamed = try await service.pins.renamePin(RenamePinRequest(id: pin.id), service.of("ann")).pin
            #expect(unnamed?.name == "61, 25")
            #expect(unnamed?.isNamed == false)
        }
    }

    @Test("a span is kept with the pin, the map's region with the account")
    func spans() async throws {
        try await RunningPinService.with { service in
            let pin = try await create(service)
            #expect(pin.span == nil)
            let span = Span(latitudeDelta: 180, longitudeDelta: 0.001)
            _ = try await service.pins.setPinSpan(SetPinSpanRequest(id: pin.id, span: span), service.of("ann"))
            #expect(try await service.pins.getPin(GetPinRequest(id: pin.id), service.of("ann")).pin?.span == span)
            #expect(try await service.pins.getMapRegion(GetMapRegionRequest(), service.of("ann")).region == nil)
            for latitude in [60.5, -33] {
                let region = Region(centre: Coordinate(latitude: latitude, longitude: 25), span: span)
                let stored = try await service.pins.setMapRegion(SetMapRegionRequest(region: region), service.of("ann"))
                #expect(stored.region == region)
                #expect(try await service.pins.getMapRegion(GetMapRegionRequest(), service.of("ann")).region == region)
            }
            #expect(try await service.pins.getMapRegion(GetMapRegionRequest(), service.of("bob")).region == nil)
        }
    }

    @Test("a pin that was deleted is gone, and no other account's pin is seen or changed")
    func delete() async throws {
        try await RunningPinService.with { service in
            let (pin, bob) = (try await create(service), service.of("bob"))
            let at = Coordinate(latitude: 1, longitude: 1)
            let span = Span(latitudeDelta: 1, longitudeDelta: 1)
            for options in [bob, service.of("ann")] {
                let errors = [
                    try await errorOf { try await service.pins.getPin(GetPinRequest(id: pin.id), options) },
                    try await errorOf {
                        try await service.pins.movePin(MovePinRequest(id: pin.id, position: at), options)
                    },
                    try await errorOf { try await service.pins.renamePin(RenamePinRequest(id: pin.id), options) },
                    try await errorOf { try await service.pins.deletePin(DeletePinRequest(id: pin.id), options) },
                    try await errorOf {
                        try await service.pins.setPinSpan(SetPinSpanRequest(id: pin.id, span: span), options)
                    },
                    try await errorOf {
                        try await service.pins.listPinPlaces(ListPinPlacesRequest(id: pin.id), options)
                    },
                    try await errorOf { try await service.pins.getBounds(GetBoundsRequest(pinId: pin.id), options) },
                ]
                for error in errors { #expect(error?.code == .notFound) }
                if options.signedIdentity == bob.signedIdentity {
                    _ = try await service.pins.deletePin(DeletePinRequest(id: pin.id), service.of("ann"))
                }
            }
            #expect(try await service.pins.listPins(ListPinsRequest(), service.of("ann")).pins.isEmpty)
        }
    }
}

@Suite("P36 A change that is asked for again")
struct RepeatedChangeTests {
    @Test("gets the first answer and changes nothing more")
    func again() async throws {
        try await RunningPinService.with { service in
            var request = CreatePinRequest(1, 2)
            request.requestId = "create-1"
            let first = try #require(try await service.pins.createPin(request, service.of("ann")).pin)
            #expect(try await service.pins.createPin(request, service.of("ann")).pin == first)
            #expect(try await service.pins.listPins(ListPinsRequest(), service.of("ann")).pins == [first])
            let bobs = try await service.pins.createPin(request, service.of("bob")).pin
            #expect(bobs?.id != first.id, "another account's names are its own")
            let removal = DeletePinRequest(id: first.id, requestId: "delete-1")
            for _ in 1...2 {
                let removed = try await service.pins.deletePin(removal, service.of("ann"))
                #expect(removed.placeCount == 0 && removed.pin?.id == first.id && removed.pin?.name == first.name)
            }
        }
    }

    @Test("with other content is refused, and so is a name that is none")
    func misused() async throws {
        try await RunningPinService.with { service in
            var request = CreatePinRequest(1, 2)
            request.requestId = "one"
            _ = try await service.pins.createPin(request, service.of("ann"))
            request.name = "another"
            for id in ["one", "two words", String(repeating: "x", count: 65), "é"] {
                request.requestId = id
                let error = try await errorOf { try await service.pins.createPin(request, service.of("ann")) }
                // D6: the one that is used is fine in itself.
                #expect(error?.code == (id == "one" ? .alreadyExists : .invalidArgument))
                #expect(error?.details?.fieldViolations.first?.field == "request_id")
            }
            #expect(try await service.pins.listPins(ListPinsRequest(), service.of("ann")).pins.count == 1)
        }
    }

    @Test("that was refused may be asked for again, and is then done")
    func refused() async throws {
        try await RunningPinService.with { service in
            let missing = PinID.make(unixMilliseconds: 1)
            let error = try await errorOf {
                try await service.pins.deletePin(
                    DeletePinRequest(id: "\(missing)", requestId: "x"), service.of("ann"))
            }
            #expect(error?.code == .notFound)
            var request = CreatePinRequest(1, 2)
            request.requestId = "x"
            _ = try await service.pins.createPin(request, service.of("ann"))
        }
    }
}
