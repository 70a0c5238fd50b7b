package import GatewayContracts
import Glibc
import RPC
import Terminal
import Wire

/// Draws centres from what a target has stored: each dataset gives as many as its share of all places.
///
/// No call gives a place at random, so a dataset is walked through: from the place nearest to a point anywhere on Earth
/// to places in circles of 100 m to 100 km around it, and so on. Where places are dense, centres are dense.
package struct CatalogCentres {
    let transport: any Transport
    /// Only these; all when empty.
    let datasets: [String]
    private var random: QuickRandom

    /// How many centres are taken out of one answer.
    private static let fromOneAnswer = 8
    /// How many walks a dataset gets.
    private static let walks = 16

    package init(_ transport: any Transport, datasets: [String], seed: UInt64) {
        self.transport = transport
        self.datasets = datasets
        random = QuickRandom(seed: seed)
    }

    /// About `count` of them.
    package mutating func draw(_ count: Int) async throws -> [Coordinate] {
        let chosen = try await allDatasets().filter {
            $0.placeCount > 0 && (datasets.isEmpty || datasets.contains($0.name))
        }
        let total = chosen.reduce(0.0) { $0 + Double($1.placeCount) }
        guard total > 0 else {
            throw CommandFailure(
                "the target has no places to draw centres from; --centres FILE names some, waymark import adds places")
        }
        var centres: [Coordinate] = []
        for dataset in chosen {
            let share = (Double(count) * Double(dataset.placeCount) / total).rounded(.up)
            centres += try await draw(Int(share), from: dataset.name)
        }
        return Array(centres.shuffled(using: &random).prefix(count))
    }

    private func allDatasets() async throws -> [Dataset] {
        var request = ListDatasetsRequest()
        var found: [Dataset] = []
        repeat {
            let page: ListDatasetsResponse = try await transport.ask(PlacesServiceMethods.listDatasets, request)
            found += page.datasets
            request.pageToken = page.nextPageToken
        } while !request.pageToken.isEmpty
        return found
    }

    private mutating func draw(_ count: Int, from dataset: String) async throws -> [Coordinate] {
        var pool: [Coordinate] = []
        for _ in 0..<min(count, Self.walks) {
            if let start = try await nearest(to: anywhere(), in: dataset) { pool.append(start) }
        }
        guard !pool.isEmpty else { return [] }
        while pool.count < count {
            let from = pool[Int.random(in: 0..<pool.count, using: &random)]
            let around = try await places(around: from, in: dataset)
            pool += around.shuffled(using: &random).prefix(Self.fromOneAnswer)
            // It may stand alone; it is stored, so it may well be asked for twice.
            if around.isEmpty { pool.append(from) }
        }
        return Array(pool.suffix(count))
    }

    private func nearest(to point: Coordinate, in dataset: String) async throws -> Coordinate? {
        let request = NearbyRequest(centre: point, radiusM: 0, limit: 1, datasets: [dataset])
        let answer: NearbyResponse = try await transport.ask(PlacesServiceMethods.nearby, request)
        return (answer.places.first ?? answer.nearest)?.position
    }

    private mutating func places(around point: Coordinate, in dataset: String) async throws -> [Coordinate] {
        let radius = 100 * pow(10, Double.random(in: 0...3, using: &random))
        let request = NearbyRequest(
            centre: point, radiusM: radius, limit: 200, datasets: [dataset], fields: ["position"])
        let answer: NearbyResponse = try await transport.ask(PlacesServiceMethods.nearby, request)
        return answer.places.compactMap(\.position)
    }

    /// Evenly over the sphere: the sine of the latitude is even.
    private mutating func anywhere() -> Coordinate {
        Coordinate(
            latitude: asin(Double.random(in: -1...1, using: &random)) * 180 / .pi,
            longitude: Double.random(in: -180..<180, using: &random))
    }
}
