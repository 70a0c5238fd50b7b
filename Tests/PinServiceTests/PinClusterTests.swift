import PinContracts
import Geo
import RPC
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("P53 Clusters of an account's pins")
struct PinClusterTests {
    private static let helsinki = BaseContracts.Box(
        southWest: Coordinate(latitude: 60.1, longitude: 24.8), northEast: Coordinate(latitude: 60.3, longitude: 25.1))

    private func clusters(
        _ service: RunningPinService, zoom: UInt32, box: BaseContracts.Box = helsinki, max: UInt32? = nil
    ) async throws -> FindClustersResponse {
        let request = FindClustersRequest(box: box, zoom: zoom, max: max)
        return try await service.clusters.findClusters(request, service.of("ann"))
    }

    @discardableResult
    private func add(
        _ latitude: Double, _ longitude: Double, _ service: RunningPinService, name: String = "Pin",
        of account: String = "ann"
    ) async throws -> String {
        let request = CreatePinRequest(latitude, longitude, name: name)
        return try #require(try await service.pins.createPin(request, service.of(account)).pin?.id)
    }

    @Test("what was put in, moved or taken out is in the next answer; others' pins are in none")
    func changes() async throws {
        try await RunningPinService.with { service in
            let alone = try await add(60.2, 24.9, service, name: "Alone")
            try await add(60.2, 24.9, service, of: "bob")
            let first = try await clusters(service, zoom: 16)
            #expect(first.count == 1)
            let mark = try #require(first.clusters.first?.mark)
            #expect(mark == Mark(id: alone, name: "Alone", state: .new))
            #expect(first.clusters.first?.position == Coordinate(latitude: 60.2, longitude: 24.9))
            #expect(first.clusters.first?.box == nil)

            let other = try await add(60.21, 24.91, service)
            #expect(try await clusters(service, zoom: 16).clusters.map(\.count) == [1, 1])
            let both = try await clusters(service, zoom: 5)
            #expect(both.clusters.map(\.count) == [2])
            #expect(both.clusters.first?.mark == nil)
            let box = BaseContracts.Box(
                southWest: Coordinate(latitude: 60.2, longitude: 24.9),
                northEast: Coordinate(latitude: 60.21, longitude: 24.91))
            #expect(both.clusters.first?.box == box)

            _ = try await service.pins.movePin(
                MovePinRequest(id: other, position: Coordinate(latitude: 10, longitude: 10)), service.of("ann"))
            #expect(try await clusters(service, zoom: 5).clusters.map(\.mark?.id) == [alone])
            _ = try await service.pins.deletePin(DeletePinRequest(id: alone), service.of("ann"))
            #expect(try await clusters(service, zoom: 5) == FindClustersResponse())
        }
    }

    @Test("counts are exact whatever the box and the zoom level")
    func exact() async throws {
        try await RunningPinService.with { service in
            var random = SeededGenerator(seed: 11)
            var points: [Geo.Coordinate] = []
            for _ in 0..<300 {
                let (latitude, longitude) = (
                    Double.random(in: 60.1...60.3, using: &random), Double.random(in: 24.8...25.1, using: &random)
                )
                try await add(latitude, longitude, service)
                points.append(try Geo.Coordinate(latitude: latitude, longitude: longitude))
            }
            for zoom: UInt32 in 0...22 {
                let south = Double.random(in: 60.1...60.25, using: &random)
                let box = BaseContracts.Box(
                    southWest: Coordinate(latitude: south, longitude: 24.85),
                    northEast: Coordinate(latitude: 60.29, longitude: 25))
                let inside = try Geo.Box(south: south, west: 24.85, north: 60.29, east: 25)
                let answer = try await clusters(service, zoom: zoom, box: box, max: 50)
                #expect(answer.count == UInt64(points.count { inside.contains($0) }))
                #expect(answer.clusters.reduce(0) { $0 + UInt64($1.count) } == answer.count)
                #expect(answer.clusters.count <= 50)
            }
        }
    }

    @Test("what is out of range is refused by its name")
    func refused() async throws {
        try await RunningPinService.with { service in
            let cases: [(FindClustersRequest, String)] = [
                (FindClustersRequest(), "box"),
                (FindClustersRequest(box: Self.helsinki, zoom: 23), "zoom"),
                (FindClustersRequest(box: Self.helsinki, max: 0), "max"),
                (FindClustersRequest(box: Self.helsinki, max: 801), "max"),
            ]
            for (request, field) in cases {
                let error = try await errorOf {
                    try await service.clusters.findClusters(request, service.of("ann"))
                }
                #expect(error?.code == .invalidArgument)
                #expect(error?.message.contains(field) == true, "\(String(describing: error))")
            }
        }
    }
}
