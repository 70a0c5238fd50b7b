import PhotoContracts
import Geo
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@testable import PhotoService

@Suite("P26 Photos near a point are exact, nearest first")
struct PhotosNearTests {
    private static let middles: [(latitude: Double, longitude: Double)] = [
        (60.1699, 24.9384), (0, 0), (0, 180), (-17, -179.99), (90, 0), (89.95, 33), (-90, 120), (-89.99, -60),
        (52, -180),
    ]

    @Test("a thousand photos, asked in three hundred ways, as brute force finds them: antimeridian, poles, duplicates")
    func bruteForce() async throws {
        try await RunningPhotoService.with { service in
            var random = SeededGenerator(seed: 7)
            let photos = try await create(Self.points(count: 1_000, &random), service)
            #expect(photos.count == 1_000)
            var shown = 0
            var truncated = 0
            for _ in 0..<300 {
                let question = Self.question(&random)
                let answer = try await service.photos.photosNear(question, service.options)
                let expected = try Self.bruteForce(question, photos)
                #expect(answer.photos == expected.photos, "\(question)")
                #expect(answer.truncated == expected.truncated, "\(question)")
                shown += answer.photos.count
                truncated += answer.truncated ? 1 : 0
            }
            #expect(shown > 3_000, "the questions found something")
            #expect(truncated > 30, "the limit was met")
        }
    }

    @Test("those of some networks, under some licences, of some time alone, before the limit")
    func filters() async throws {
        try await RunningPhotoService.with { service in
            for number in 1...6 {
                _ = try await service.put(
                    PhotoContracts.Photo(
                        id: "\(number % 2 == 0 ? "mine" : "hers")/\(number)",
                        position: BaseContracts.Coordinate(latitude: 60 + Double(number) / 1e5, longitude: 24),
                        licence: number < 4 ? "CC0" : "CC BY-SA 4.0",
                        takenTime: number == 6 ? nil : TimestampMessage(seconds: Int64(number) * 100)))
            }
            func near(_ change: (inout PhotosNearRequest) -> Void) async throws -> [String] {
                var request = PhotosNearRequest(60, 24)
                change(&request)
                return try await service.photos.photosNear(request, service.options).photos.map(\.id)
            }
            #expect(try await near { $0.networks = ["mine"] } == ["mine/2", "mine/4", "mine/6"])
            #expect(try await near { $0.networks = ["min", "ine", "m_ne"] }.isEmpty)
            #expect(try await near { $0.licences = ["cc by-sa 4.0", "other"] } == ["mine/4", "hers/5", "mine/6"])
            #expect(try await near { $0.takenFrom = .init(seconds: 200) } == ["mine/2", "hers/3", "mine/4", "hers/5"])
            #expect(try await near { $0.takenBefore = .init(seconds: 200) } == ["hers/1"])
            let last = try await near {
                ($0.networks, $0.licences, $0.takenFrom, $0.limit) = (["mine"], ["CC0"], .init(seconds: 1), 1)
            }
            #expect(last == ["mine/2"])
            let error = try await errorOf {
                try await near { ($0.takenFrom, $0.takenBefore) = (.init(seconds: 2), .init(seconds: 2)) }
            }
            #expect(error?.message.contains("taken_before") == true)
            // Each is compared with each photo.
            let long = try await errorOf { try await near { $0.licences = [String(repeating: "x", count: 201)] } }
            #expect(long?.message.contains("licences[0]") == true)
        }
    }

    @Test("20 within 1,000 m when nothing else is asked for")
    func defaults() async throws {
        try await RunningPhotoService.with { service in
            let inside = (0..<21).map { (60 + Double($0) * 0.0004, 24.0) }  // 44 m apart, the last 890 m away
            _ = try await create(inside + [(60.0091, 24)], service)
            let near = try await service.photos.photosNear(PhotosNearRequest(60, 24), service.options)
            #expect(near.photos.count == 20)
            #expect(near.truncated)
            let all = try await service.photos.photosNear(PhotosNearRequest(60, 24, limit: 200), service.options)
            #expect(all.photos.count == 21, "what lies 1,012 m away is not near")
            #expect(!all.truncated)
            #expect(all.photos.first?.distanceM == 0)
        }
    }

    @Test("at a limit of as many as there are, nothing is said to be missing")
    func exactLimit() async throws {
        try await RunningPhotoService.with { service in
            _ = try await create([(1, 2), (1, 2), (1, 2)], service)
            for (limit, isTruncated) in [(2, true), (3, false), (4, false)] {
                let request = PhotosNearRequest(1, 2, radius: 0, limit: UInt32(limit))
                let near = try await service.photos.photosNear(request, service.options)
                #expect(near.photos.count == min(limit, 3))
                #expect(near.truncated == isTruncated)
            }
        }
    }

    private func create(
        _ points: [(Double, Double)], _ service: RunningPhotoService
    ) async throws -> [PhotoContracts.Photo] {
        try await concurrently(points.enumerated()) { number, point in
            try await service.put(photo("mine/\(number * 7_919 % 1_009)", point.0, point.1))
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

    private static func question(_ random: inout SeededGenerator) -> PhotosNearRequest {
        let centre = scattered(&random)
        let radius: Double = [0, 1, 500, 5_000, 30_000, 100_000].randomElement(using: &random) ?? 0
        return PhotosNearRequest(
            centre.0, centre.1, radius: radius, limit: [1, 3, 20, 200].randomElement(using: &random))
    }

    private static func bruteForce(
        _ question: PhotosNearRequest, _ photos: [PhotoContracts.Photo]
    ) throws -> (photos: [PhotoContracts.Photo], truncated: Bool) {
        let (centre, radius, limit) = (
            try point(question.centre), try #require(question.radiusM), try #require(question.limit)
        )
        var near: [PhotoContracts.Photo] = []
        for var photo in photos {
            let metres = Distance.metres(from: centre, to: try point(photo.position))
            photo.distanceM = metres
            if metres <= radius { near.append(photo) }
        }
        near.sort { ($0.distanceM ?? 0, $0.id) < ($1.distanceM ?? 0, $1.id) }
        return (Array(near.prefix(Int(limit))), near.count > Int(limit))
    }

    private static func point(_ message: BaseContracts.Coordinate?) throws -> Geo.Coordinate {
        let message = try #require(message)
        return try Geo.Coordinate(latitude: message.latitude, longitude: message.longitude)
    }
}
