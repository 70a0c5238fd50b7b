import Contracts
import RPC
import Requests
import TestSupport
import Testing
import Wire

@testable import Gateway

@Suite("P7 P16 The places of a pin are listed grouped", .timeLimit(.minutes(3)))
struct GroupedPinPlacesTests {
    private static let pin = "0198a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"
    private static let otherPin = "0198a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c"

    /// Of every third thing there is a place of one network only.
    private static let places: [PinPlace] = (0..<30).flatMap { index in
        let position = Coordinate(latitude: 60.17 + Double(index) * 0.002, longitude: 24.94)
        let networks = index % 3 == 0 ? ["foursquare"] : ["foursquare", "openstreetmap"]
        return networks.map { network in
            PinPlace(
                id: "\(network)/\(index)", name: "Cafe \(index)", position: position,
                distanceM: Double(index / 2) * 222 + (network == "foursquare" ? 0 : 1), photoCount: UInt32(index))
        }
    }

    /// Answers as the pin service does, but with small pages.
    private static func page(_ request: ListPinPlacesRequest) -> ListPinPlacesResponse {
        #expect(!request.grouped)
        let start = Int(request.pageToken) ?? 0
        let end = min(start + 7, places.count)
        return ListPinPlacesResponse(
            places: Array(places[start..<end]), nextPageToken: end < places.count ? "\(end)" : "",
            count: UInt32(places.count))
    }

    private static func listed(_ size: UInt32) async throws -> [ListPinPlacesResponse] {
        var request = ListPinPlacesRequest(id: Self.pin, pageSize: size, grouped: true)
        var answers: [ListPinPlacesResponse] = []
        repeat {
            let answer = try await GroupedPinPlaces(request).page { page($0) }
            answers.append(answer)
            request.pageToken = answer.nextPageToken
        } while !request.pageToken.isEmpty
        return answers
    }

    @Test("nearest first, then by id, each thing once with its sources", arguments: [1, 4, 29, 30, 1000])
    func pages(_ size: UInt32) async throws {
        let answers = try await Self.listed(size)
        let places = answers.flatMap(\.places)
        #expect(answers.dropLast().allSatisfy { $0.places.count == Int(size) })
        #expect(answers.allSatisfy { $0.count == 30 })
        #expect(places.count == 30 && Set(places.map(\.id)).count == 30)
        #expect(places.map(\.id) == places.sorted { ($0.distanceM, $0.id) < ($1.distanceM, $1.id) }.map(\.id))
        #expect(places.count { $0.sources.isEmpty } == 10)
        for place in places where !place.sources.isEmpty {
            #expect(place.id.hasPrefix("openstreetmap/"))
            #expect(place.sources.map(\.id) == [place.id.replacing("openstreetmap", with: "foursquare")])
            #expect(place.sources.map(\.photoCount) == [place.photoCount])
        }
    }

    @Test("a token of another question is refused, and a page of a size that is not allowed")
    func refused() async throws {
        let token = try #require(try await Self.listed(4).first?.nextPageToken)
        for request in [
            ListPinPlacesRequest(id: Self.otherPin, pageToken: token, grouped: true),
            ListPinPlacesRequest(id: Self.pin, pageToken: token, networks: ["catalog"], grouped: true),
            ListPinPlacesRequest(id: Self.pin, pageSize: 1001, grouped: true),
        ] {
            #expect(throws: (any Error).self) { try GroupedPinPlaces(request) }
        }
    }

    @Test("through the gateway when asked to; else the pin service's answer passes as it is")
    func gateway() async throws {
        var backends = FakeBackends()
        backends.listPinPlaces = { request, _ in Self.page(request) }
        try await RunningGateway.with(backends) { gateway in
            let pins = PinServiceClient(gateway.client)
            let plain = try await pins.listPinPlaces(ListPinPlacesRequest(id: Self.pin))
            #expect(plain.places == Array(Self.places.prefix(7)) && plain.count == UInt32(Self.places.count))
            let grouped = try await pins.listPinPlaces(ListPinPlacesRequest(id: Self.pin, grouped: true))
            #expect(grouped.places.count == 30 && grouped.nextPageToken.isEmpty)
            let refused = await #expect(throws: RPCError.self) {
                try await pins.listPinPlaces(ListPinPlacesRequest(id: Self.pin, pageToken: "x", grouped: true))
            }
            #expect(refused?.code == .invalidArgument)
        }
    }
}
