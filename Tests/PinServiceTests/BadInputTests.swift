import PinContracts
import RPC
import TestSupport
import Testing
import Wire

@testable import PinService

@Suite("P1 Bad input is refused with the field's name and what is allowed")
struct BadInputTests {
    /// A request, the field at fault, and words that its sentence must hold.
    struct Case<Request: Sendable>: Sendable {
        let request: Request
        let field: String
        let words: String
    }

    private static func create(_ request: CreatePinRequest, _ field: String, _ words: String) -> Case<CreatePinRequest>
    {
        Case(request: request, field: field, words: words)
    }

    private static func near(_ request: PinsNearRequest, _ field: String, _ words: String) -> Case<PinsNearRequest> {
        Case(request: request, field: field, words: words)
    }

    static let creations = [
        create(CreatePinRequest(), "position", "a latitude and a longitude"),
        create(CreatePinRequest(90.000_000_1, 0), "position.latitude", "-90"),
        create(CreatePinRequest(-91, 0), "position.latitude", "-91"),
        create(CreatePinRequest(.nan, 0), "position.latitude", "nan"),
        create(CreatePinRequest(.infinity, 0), "position.latitude", "inf"),
        create(CreatePinRequest(0, 180.000_000_1), "position.longitude", "180"),
        create(CreatePinRequest(0, -1e300), "position.longitude", "-1e+300"),
        create(CreatePinRequest(0, .nan), "position.longitude", "nan"),
        create(CreatePinRequest(0, -.infinity), "position.longitude", "-inf"),
        create(CreatePinRequest(0, 0, radius: 49.999), "radius_m", "50 to 20,000"),
        create(CreatePinRequest(0, 0, radius: 20_000.001), "radius_m", "20000.001"),
        create(CreatePinRequest(0, 0, radius: 0), "radius_m", "50 to 20,000"),
        create(CreatePinRequest(0, 0, radius: -1_000), "radius_m", "50 to 20,000"),
        create(CreatePinRequest(0, 0, radius: .nan), "radius_m", "nan"),
        create(CreatePinRequest(0, 0, radius: .infinity), "radius_m", "inf"),
        create(CreatePinRequest(0, 0, name: String(repeating: "x", count: 201)), "name", "201 characters"),
        create(CreatePinRequest(0, 0, name: "e" + String(repeating: "e\u{301}", count: 100)), "name", "201 characters"),
        create(CreatePinRequest(0, 0, name: "two\nlines"), "name", "control character"),
        create(CreatePinRequest(0, 0, name: "two\u{2028}lines"), "name", "one line"),
        create(CreatePinRequest(0, 0, name: "a\0b"), "name", "control character"),
        create(CreatePinRequest(0, 0, name: "\u{1b}[31mred"), "name", "control character"),
    ]

    @Test("when a pin is created", arguments: creations.indices)
    func creation(index: Int) async throws {
        let bad = Self.creations[index]
        try await RunningPinService.with { service in
            try expectInvalid(
                bad.field, bad.words,
                try await errorOf { try await service.pins.createPin(bad.request, service.of("ann")) }
            )
            let all = try await service.pins.pinsNear(PinsNearRequest(0, 0, radius: 100_000), service.of("ann"))
            #expect(all.pins.isEmpty, "nothing was stored")
        }
    }

    static let questions = [
        near(PinsNearRequest(), "centre", "a latitude and a longitude"),
        near(PinsNearRequest(-90.1, 0), "centre.latitude", "-90.1"),
        near(PinsNearRequest(0, .nan), "centre.longitude", "nan"),
        near(PinsNearRequest(0, 181), "centre.longitude", "181"),
        near(PinsNearRequest(0, 0, radius: -0.001), "radius_m", "0 to 100,000"),
        near(PinsNearRequest(0, 0, radius: 100_000.5), "radius_m", "100000.5"),
        near(PinsNearRequest(0, 0, radius: .nan), "radius_m", "nan"),
        near(PinsNearRequest(0, 0, radius: .infinity), "radius_m", "inf"),
        near(PinsNearRequest(0, 0, limit: 0), "limit", "1 to 200"),
        near(PinsNearRequest(0, 0, limit: 201), "limit", "201"),
        near(PinsNearRequest(0, 0, limit: .max), "limit", "4294967295"),
    ]

    @Test("when pins near a point are asked for")
    func question() async throws {
        try await RunningPinService.with { service in
            for bad in Self.questions {
                try expectInvalid(
                    bad.field, bad.words,
                    try await errorOf { try await service.pins.pinsNear(bad.request, service.of("ann")) })
            }
        }
    }

    @Test("when an id is none")
    func id() async throws {
        try await RunningPinService.with { service in
            for id in ["", "7", "not-a-uuid", String(repeating: "x", count: 100_000)] {
                let error = try await errorOf {
                    try await service.pins.getPin(GetPinRequest(id: id), service.of("ann"))
                }
                try expectInvalid("id", "a UUID is", error)
                #expect((error?.message.utf8.count ?? 0) < 200, "what was given is not repeated at length")
            }
        }
    }

    private func expectInvalid(_ field: String, _ words: String, _ error: RPCError?) throws {
        let error = try #require(error, "\(field) was taken")
        #expect(error.code == .invalidArgument)
        let violation = try #require(error.details?.fieldViolations.first)
        #expect(violation.field == field)
        #expect(violation.description.contains(words), "\(violation.description)")
    }
}
