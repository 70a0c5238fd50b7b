import PinContracts
import RPC
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("P52 what is kept with a pin", .timeLimit(.minutes(2)))
struct PinNoteTests {
    private func create(_ service: RunningPinService) async throws -> PinContracts.Pin {
        try #require(try await service.pins.createPin(CreatePinRequest(60, 25), service.of("ann")).pin)
    }

    private func annotate(
        _ id: String, _ note: String? = nil, visited: String? = nil, _ service: RunningPinService,
        of account: String = "ann"
    ) async throws -> PinContracts.Pin {
        let request = AnnotatePinRequest(id: id, note: note, visitedDate: visited)
        return try #require(try await service.pins.annotatePin(request, service.of(account)).pin)
    }

    @Test("a note and the day of a visit are kept, each for itself, through a move and a restart")
    func kept() async throws {
        try await TemporaryFolder.with { folder in
            let pin = try await RunningPinService.with(folder: folder) { service in
                let pin = try await create(service)
                #expect(!pin.hasNote && pin.visitedDate.isEmpty)
                let noted = try await annotate(pin.id, "  Two\nlines \u{1F30D} ", service)
                #expect(noted.note == "Two\nlines \u{1F30D}" && noted.hasNote && noted.version > pin.version)
                let visited = try await annotate(pin.id, visited: "2024-02-29", service)
                #expect(visited.note == noted.note && visited.visitedDate == "2024-02-29")
                let move = MovePinRequest(id: pin.id, position: Coordinate(latitude: 61, longitude: 25))
                _ = try await service.pins.movePin(move, service.of("ann"))
                return pin
            }
            try await RunningPinService.with(folder: folder) { service in
                let stored = try await service.pins.getPin(GetPinRequest(id: pin.id), service.of("ann")).pin
                #expect(stored?.note == "Two\nlines \u{1F30D}" && stored?.visitedDate == "2024-02-29")
                let none = try await annotate(pin.id, " \n", visited: "", service)
                #expect(!none.hasNote && none.note.isEmpty && none.visitedDate.isEmpty)
            }
        }
    }

    @Test("lists say that there is one, and leave it out; what is deleted is given once more")
    func lists() async throws {
        try await RunningPinService.with { service in
            let pin = try await create(service)
            _ = try await annotate(pin.id, "Mine", visited: "2026-05-04", service)
            let options = service.of("ann")
            let listed = try await service.pins.listPins(ListPinsRequest(), options).pins
            let near = try await service.pins.pinsNear(PinsNearRequest(60, 25), options).pins
            for each in listed + near {
                #expect(each.hasNote && each.note.isEmpty && each.visitedDate == "2026-05-04")
            }
            let deleted = try await service.pins.deletePin(DeletePinRequest(id: pin.id), options).pin
            #expect(deleted?.note == "Mine")
        }
    }

    @Test("it is its owner's alone")
    func ownersAlone() async throws {
        try await RunningPinService.with { service in
            let pin = try await create(service)
            let error = try await errorOf { try await annotate(pin.id, "Mine", service, of: "ben") }
            #expect(error?.code == .notFound)
            #expect(try await annotate(pin.id, nil, service).note.isEmpty)
        }
    }

    private static let bad: [(String?, String?, String)] = [
        (String(repeating: "a", count: 2_001), nil, "note: 2001 characters are not allowed; at most 2000 are"),
        ("a\u{0}b", nil, "note: a control character is not allowed; lines of text are"),
        (nil, "2026-02-29", "visited_date: \"2026-02-29\" is not allowed; a day is, as 2026-05-04, or nothing"),
        (nil, "2026-13-01", "visited_date: \"2026-13-01\""), (nil, "2026-5-4", "visited_date: \"2026-5-4\""),
        (nil, "+026-05-04", "visited_date: "), (nil, "٢٠٢٦-05-04", "visited_date: "),
        (nil, "2026-05-04T00:00:00Z", "visited_date: "), (nil, "2026-05-00", "visited_date: "),
    ]

    @Test("what is not allowed is refused with its field, and nothing changes", arguments: bad)
    func badInput(note: String?, visited: String?, message: String) async throws {
        try await RunningPinService.with { service in
            let pin = try await create(service)
            let error = try await errorOf { try await annotate(pin.id, note, visited: visited, service) }
            #expect(error?.code == .invalidArgument && error?.message.hasPrefix(message) == true)
            let stored = try await service.pins.getPin(GetPinRequest(id: pin.id), service.of("ann")).pin
            #expect(stored == pin)
        }
    }

    @Test("the longest note is taken as it is")
    func longest() async throws {
        try await RunningPinService.with { service in
            let pin = try await create(service)
            let longest = String(repeating: "\u{1F30D}", count: 2_000)
            #expect(try await annotate(pin.id, longest, service).note == longest)
            #expect(try await service.pins.getPin(GetPinRequest(id: pin.id), service.of("ann")).pin?.note == longest)
        }
    }
}
