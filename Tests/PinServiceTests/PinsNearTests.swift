import PinContracts
import Geo
import RPC
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("P12 Pins near a point are exact, nearest first")
struct PinsNearTests {
    private static let middles: [(latitude: Double, longitude: Double)] = [
        (60.1699, 24.9384), (0, 0), (0, 180), (-17, -179.99), (90, 0), (89.95, 33), (-90, 120), (-89.99, -60),
        (52, -180),
    ]

    @Test("a thousand pins, asked in three hundred ways, as brute force finds them: antimeridian, poles, duplicates")
    func bruteForce() async throws {
        try await RunningPinService.with { service in
            var random = SeededGenerator(seed: 7)
            let pins = try await create(Self.points(count: 1_000, &random), service)
            #expect(pins.count == 1_000)
            var shown = 0
            var truncated = 0
            for _ in 0..<300 {
                let question = Self.question(&random)
                let answer = try await service.pins.pinsNear(question, service.of("ann"))
                let expected = try Self.bruteForce(question, pins)
                #expect(answer.pins == expected.pins, "\(question)")
                #expect(answer.truncated == expected.truncated, "\(question)")
                shown += answer.pins.count
                truncated += answer.truncated ? 1 : 0
            }
            #expect(shown > 3_000, "the questions found something")
            #expect(truncated > 30, "the limit was met")
        }
    }

    @Test("20 within 1,000 m when nothing else is asked for")
    func defaults() async throws {
        try await RunningPinService.with { service in
            let inside = (0..<21).map { (60 + Double($0) * 0.0004, 24.0) }  // 44 m apart, the last 890 m away
            _ = try await create(inside + [(60.0091, 24)], service)
            let near = try await service.pins.pinsNear(PinsNearRequest(60, 24), service.of("ann"))
            #expect(near.pins.count == 20)
            #expect(near.truncated)
            let all = try await service.pins.pinsNear(PinsNearRequest(60, 24, limit: 200), service.of("ann"))
            #expect(all.pins.count == 21, "what lies 1,012 m away is not near")
            #expect(!all.truncated)
            #expect(all.pins.first?.distanceM == 0)
        }
    }

    @Test("at a limit of as many as there are, nothing is said to be missing")
    func exactLimit() async throws {
        try await RunningPinService.with { service in
            _ = try await create([(1, 2), (1, 2), (1, 2)], service)
            for (limit, isTruncated) in [(2, true), (3, false), (4, false)] {
                let request = PinsNearRequest(1, 2, radius: 0, limit: UInt32(limit))
                let near = try await service.pins.pinsNear(request, service.of("ann"))
                #expect(near.pins.count == min(limit, 3))
                #expect(near.truncated == isTruncated)
            }
        }
    }

    private func create(_ points: [(Double, Double)], _ service: RunningPinService) async throws -> [PinContracts.Pin] {
        try await concurrently(points) { point in
            try await service.pins.createPin(CreatePinRequest(point.0, point.1), service.of("ann")).pin
        }.compactMap(\.self)
    }

    /// Clusters of a metre to a degree around places where maps are torn; every tenth point a duplicate.
    private static func points(count: Int, _ random: inout SeededGenerator) -> [(Double, Double)] {
        var points: [(Double, Double)] = []
        for number in 0..<count {
            if number % 10 == 9, let twin = points.randomElement(using: &random) {
                points.append(twin)
            } else {
                points.append(scattered(&random))
            }
        }
        return points
    }

    private static func scattered(_ random: inout SeededGenerator) -> (Double, Double) {
        let middle = middles[Int.random(in: 0..<middles.count, using: &random)]
        let spread: Double = [0.00001, 0.001, 0.1, 1].randomElement(using: &random) ?? 1
        let latitude = middle.latitude + Double.random(in: -spread...spread, using: &random)
        let widened = abs(middle.latitude) > 89 ? 180 : spread
        let longitude = middle.longitude + Double.random(in: -widened...widened, using: &random)
        return (
            min(90, max(-90, latitude)),
            longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
        )
    }

    private static func question(_ random: inout SeededGenerator) -> PinsNearRequest {
        let centre = scattered(&random)
        let radius: Double = [0, 1, 500, 5_000, 30_000, 100_000].randomElement(using: &random) ?? 0
        return PinsNearRequest(
            centre.0, centre.1, radius: radius, limit: [1, 3, 20, 200].randomElement(using: &random))
    }

    private static func bruteForce(
        _ question: PinsNearRequest, _ pins: [PinContracts.Pin]
    ) throws -> (pins: [PinContracts.Pin], truncated: Bool) {
        let (centre, radius, limit) = (
            try point(question.centre), try #require(question.radiusM), try #require(question.limit)
        )
        var near: [PinContracts.Pin] = []
        for var pin in pins {
            let metres = Distance.metres(from: centre, to: try point(pin.position))
            pin.distanceM = metres
            if metres <= radius { near.append(pin) }
        }
        near.sort { ($0.distanceM ?? 0, $0.id) < ($1.distanceM ?? 0, $1.id) }
        return (Array(near.prefix(Int(limit))), near.count > Int(limit))
    }

    private static func point(_ message: BaseContracts.Coordinate?) throws -> Geo.Coordinate {
        let message = try #require(message)
        return try Geo.Coordinate(latitude: message.latitude, longitude: message.longitude)
    }
}
