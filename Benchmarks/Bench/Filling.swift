import Arguments
import Contracts
import EventLoops
import RPC

/// Stores the record of a photo at every third place, so that explorations find some.
struct Filling: Sendable {
    private static let every = 3
    private static let lanes = 64
    private static let timeout: Duration = .seconds(30)

    private struct Spot: Sendable {
        let name: String
        let position: Coordinate
    }

    private let spots: [Spot]
    private let photos: PhotoServiceClient

    /// `points` has the columns id, name, categories, lat, lon.
    init(_ client: RPCClient, points path: String) throws(UsageError) {
        let rows = try BenchFile.rows(path)
        spots = stride(from: 0, to: rows.count, by: Self.every).compactMap { index in
            let columns = rows[index]
            guard columns.count >= 5, let latitude = Double(columns[3]), let longitude = Double(columns[4]) else {
                return nil
            }
            return Spot(name: String(columns[1]), position: Coordinate(latitude: latitude, longitude: longitude))
        }
        photos = PhotoServiceClient(client)
    }

    /// Stores everything; gives the number of spots.
    func run() async throws -> Int {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<Self.lanes {
                group.addTask {
                    for index in stride(from: lane, to: spots.count, by: Self.lanes) { try await store(index) }
                }
            }
            try await group.waitForAll()
        }
        return spots.count
    }

    private func store(_ index: Int) async throws {
        let spot = spots[index]
        let photo = Photo(
            id: "bench/\(index)", title: spot.name, position: spot.position, author: "A photographer", licence: "CC0",
            sourceUrl: "https://photos.example/\(index)", originalUrl: "https://photos.example/\(index).jpeg",
            width: 1600, height: 1200)
        _ = try await photos.putPhoto(PutPhotoRequest(photo: photo), CallOptions(timeout: Self.timeout))
    }
}
