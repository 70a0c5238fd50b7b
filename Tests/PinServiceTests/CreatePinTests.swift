import PinContracts
import RPC
import Testing
import Wire

@testable import PinService

@Suite("P1 Creating a pin")
struct CreatePinTests {
    @Test("gives the pin as it is stored: NEW, with an id of its time, its position to 1e-7 degrees")
    func created() async throws {
        try await RunningPinService.with { service in
            let request = CreatePinRequest(60.169_912_345, 24.938_4, radius: 300, name: "  Railway square\n")
            let pin = try #require(try await service.pins.createPin(request, service.of("ann")).pin)
            #expect(pin.id.hasPrefix("019077fd-3000-7"))
            #expect(pin.name == "Railway square")
            #expect(pin.position == BaseContracts.Coordinate(latitude: 60.169_912_3, longitude: 24.938_4))
            #expect(pin.radiusM == 300)
            #expect(pin.state == .new)
            #expect(pin.createTime?.unixMilliseconds == RunningPinService.now)
            #expect(pin.distanceM == nil)
            #expect(try await service.pins.getPin(GetPinRequest(id: pin.id), service.of("ann")).pin == pin)
        }
    }

    @Test("without a name and a radius calls it after its position and takes 1,000 m")
    func defaults() async throws {
        try await RunningPinService.with { service in
            for unseen in ["", " \t\u{2028}", "\u{200b}\u{2060} \u{3164}"] {
                let request = CreatePinRequest(60.1699, 24.9384, name: unseen)
                let pin = try await service.pins.createPin(request, service.of("ann")).pin
                #expect(pin?.name == "60.1699, 24.9384")
                #expect(pin?.isNamed == false)
                #expect(pin?.radiusM == 1_000)
            }
        }
    }

    @Test("keeps what joins letters and pictures within a name")
    func joined() async throws {
        try await RunningPinService.with { service in
            let name = "👩‍👧 خانه‌ها"
            let pin = try await service.pins.createPin(CreatePinRequest(0, 0, name: name), service.of("ann")).pin
            #expect(pin.map { Array($0.name.unicodeScalars) } == Array(name.unicodeScalars))
        }
    }

    @Test("takes everything at its limit", arguments: [(90.0, 180.0, 50.0), (-90, -180, 20_000), (0, 0, 1_000)])
    func limits(latitude: Double, longitude: Double, radius: Double) async throws {
        try await RunningPinService.with { service in
            let name = String(repeating: "å", count: 200)
            let request = CreatePinRequest(latitude, longitude, radius: radius, name: name)
            let pin = try #require(try await service.pins.createPin(request, service.of("ann")).pin)
            #expect(pin.name == name)
            #expect(pin.radiusM == radius)
            #expect(pin.position?.longitude == (longitude == 180 ? -180 : longitude), "180 and -180 are one meridian")
        }
    }

    @Test("allows any number of pins at one place")
    func samePlace() async throws {
        try await RunningPinService.with { service in
            for _ in 0..<3 { _ = try await service.pins.createPin(CreatePinRequest(1, 2), service.of("ann")) }
            let near = try await service.pins.pinsNear(PinsNearRequest(1, 2, radius: 0), service.of("ann"))
            #expect(near.pins.count == 3)
            #expect(near.pins.map(\.id) == near.pins.map(\.id).sorted())
        }
    }

    @Test("works when two hundred clients do it at once: each gets its own pin, and all are there")
    func concurrent() async throws {
        try await RunningPinService.with { service in
            let ids = try await withThrowingTaskGroup { group in
                for number in 0..<200 {
                    group.addTask {
                        try await service.pins.createPin(CreatePinRequest(1, 2, name: "\(number)"), service.of("ann"))
                            .pin?.id
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1 ?? "") }
            }
            #expect(ids.count == 200)
            let near = try await service.pins.pinsNear(PinsNearRequest(1, 2, limit: 200), service.of("ann"))
            #expect(Set(near.pins.map(\.id)) == ids)
            #expect(!near.truncated)
        }
    }
}
