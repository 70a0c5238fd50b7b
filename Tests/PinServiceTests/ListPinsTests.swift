import PinContracts
import RPC
import TestSupport
import Testing
import Wire

@testable import PinService

@Suite("P7 P9 All pins of an account")
struct ListPinsTests {
    @Test("come the newest first, page by page, each once, also those created in one millisecond")
    func pages() async throws {
        try await RunningPinService.with { service in
            var ids: [String] = []
            for _ in 0..<7 {
                ids.append(
                    try #require(try await service.pins.createPin(CreatePinRequest(1, 2), service.of("ann")).pin?.id))
            }
            _ = try await service.pins.createPin(CreatePinRequest(1, 2), service.of("bob"))
            var found: [String] = []
            var request = ListPinsRequest(pageSize: 3)
            var sizes: [Int] = []
            repeat {
                let answer = try await service.pins.listPins(request, service.of("ann"))
                found += answer.pins.map(\.id)
                sizes.append(answer.pins.count)
                request.pageToken = answer.nextPageToken
            } while !request.pageToken.isEmpty
            #expect(sizes == [3, 3, 1])
            #expect(found == ids.sorted().reversed())
        }
    }

    @Test("are refused with a size or a token that is none")
    func refusals() async throws {
        try await RunningPinService.with { service in
            let bad = [
                ("page_size", ListPinsRequest(pageSize: 0)), ("page_size", ListPinsRequest(pageSize: 501)),
                ("page_token", ListPinsRequest(pageToken: "x")), ("page_token", ListPinsRequest(pageToken: "AAAA")),
                ("page_token", ListPinsRequest(pageToken: String(repeating: "A", count: 100_000))),
            ]
            for (field, request) in bad {
                let error = try await errorOf { try await service.pins.listPins(request, service.of("ann")) }
                #expect(error?.details?.fieldViolations.first?.field == field)
            }
        }
    }

    @Test("lie in the smallest box, over the antimeridian too; none without pins")
    func bounds() async throws {
        try await RunningPinService.with { service in
            #expect(try await service.pins.getBounds(GetBoundsRequest(), service.of("ann")).box == nil)
            for (latitude, longitude) in [(-17.0, 179.5), (-18, -179.5)] {
                _ = try await service.pins.createPin(CreatePinRequest(latitude, longitude), service.of("ann"))
            }
            let box = try await service.pins.getBounds(GetBoundsRequest(), service.of("ann")).box
            #expect(box?.southWest == Coordinate(latitude: -18, longitude: 179.5))
            #expect(box?.northEast == Coordinate(latitude: -17, longitude: -179.5))
            let error = try await errorOf {
                try await service.pins.getBounds(GetBoundsRequest(pinId: "7"), service.of("ann"))
            }
            #expect(error?.details?.fieldViolations.first?.field == "pin_id")
        }
    }
}
