import PlaceContracts
import Geo
import Networks
import TestTools
import Testing

@testable import PlacesService

/// The catalog once more, as plain arrays that are searched by looking at everything.
struct ModelCatalog {
    struct Place {
        let id: String
        /// Of the catalog; empty for a place of the live network.
        let dataset: String
        let name: String
        let categories: [String]
        let point: Geo.Coordinate
        /// The name's words in plain lower-case ASCII.
        let words: [String]
    }

    static let datasets = ["city", "isles", "poles"]
    /// Every fourth place was found by this network.
    static let network = Network.openstreetmap
    /// Words with what people type for them.
    private static let words = [
        ("Café", "cafe"), ("ŁÓDŹ", "lodz"), ("Straße", "strasse"), ("Ærø", "aero"), ("park", "park"),
        ("Parkour", "parkour"),
        ("12", "12"), ("Hôtel", "hotel"), ("Đà", "da"), ("museum", "museum"), ("Müller's", "muller s"),
    ]
    static let categories = [
        "amenity/cafe", "amenity/bar", "amenity", "shop/books", "shop", "shopping", "tourism/museum",
        "Banks & Credit Unions",
    ]

    var places: [Place] = []

    /// Some thousand places: a dense city, isles on both sides of the antimeridian, both poles, and many twins.
    init(seed: UInt64, count: Int) {
        var numbers = SeededGenerator(seed: seed)
        for index in 0..<count {
            let dataset = index % 4 == 3 ? "" : Self.datasets[index % Self.datasets.count]
            var point = Self.point(in: Self.datasets[index % Self.datasets.count], &numbers)
            if index > 3, numbers.chance(0.2) { point = places[index - 3].point }
            let words = (0..<Int.random(in: 1...3, using: &numbers)).map { _ in numbers.one(of: Self.words) }
            places.append(
                Place(
                    id: dataset.isEmpty ? "openstreetmap/node/\(index)" : "catalog/\(dataset)/\(index)",
                    dataset: dataset, name: words.map(\.0).joined(separator: " "),
                    categories: Array(
                        Set(
                            (0..<Int.random(in: 0...2, using: &numbers)).map { _ in
                                numbers.one(of: Self.categories)
                            })),
                    point: point, words: words.flatMap { $0.1.split(separator: " ").map(String.init) }))
        }
    }

    private static func point(in dataset: String, _ numbers: inout SeededGenerator) -> Geo.Coordinate {
        let near = Double.random(in: -1...1, using: &numbers)
        let far = Double.random(in: -1...1, using: &numbers)
        let degrees: (Double, Double) =
            switch dataset {
            case "city": (60.17 + near * near * near * 0.05, 24.94 + far * far * far * 0.1)
            case "isles": (-16.8 + near * 0.3, far >= 0 ? 180 - far * 0.3 : -180 - far * 0.3)
            default: (near >= 0 ? 90 - near * 0.5 : -90 - near * 0.5, far * 180)
            }
        do {
            return try Geo.Coordinate(latitude: degrees.0, longitude: degrees.1)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// The places of one dataset as a table.
    func table(of dataset: String) -> String {
        let rows = places.filter { $0.dataset == dataset }.map { place in
            "\(place.id.dropFirst("catalog/".count + dataset.count + 1))\t\(place.name)\t"
                + "\(place.categories.joined(separator: ";"))\t\(place.point.latitude)\t\(place.point.longitude)\n"
        }
        return "id\tname\tcategories\tlat\tlon\n" + rows.joined()
    }

    /// The live network's places in layers, as if they had been found one after the other.
    func layers() throws -> PlaceLayers {
        var layers = PlaceLayers()
        let found = places.filter { $0.dataset.isEmpty }
        for start in stride(from: 0, to: found.count, by: 100) {
            var builder = SnapshotBuilder()
            for place in found[start..<min(start + 100, found.count)] {
                try builder.add(
                    PlaceContracts.Place(
                        id: place.id, name: place.name, categories: place.categories,
                        position: BaseContracts.Coordinate(
                            latitude: place.point.latitude, longitude: place.point.longitude)))
            }
            try layers.apply(builder)
        }
        return layers
    }

    /// All within a box that match, by id, whatever the limit.
    func matches(_ request: WithinRequest) throws -> [Place] {
        let corners = try #require(request.box)
        let box = try Geo.Box(
            south: corners.southWest?.latitude ?? 0, west: corners.southWest?.longitude ?? 0,
            north: corners.northEast?.latitude ?? 0, east: corners.northEast?.longitude ?? 0)
        return places.filter { Self.passes($0, request) && box.contains($0.point) }.sorted { $0.id < $1.id }
    }

    /// All that match, nearest first, whatever the limit.
    func matches(_ request: NearbyRequest) throws -> [(place: Place, metres: Double)] {
        let centre = try Geo.Coordinate(
            latitude: request.centre?.latitude ?? 0, longitude: request.centre?.longitude ?? 0)
        return places.filter { Self.passes($0, request) }
            .map { (place: $0, metres: Distance.metres(from: centre, to: $0.point)) }
            .filter { request.anyDistance || $0.metres <= request.radiusM ?? 1000 }
            .sorted { ($0.metres, $0.place.id) < ($1.metres, $1.place.id) }
    }

    private static func passes(_ place: Place, _ request: some CriteriaRequest) -> Bool {
        func isIn(_ list: [String]) -> Bool {
            place.categories.contains { category in list.contains { category == $0 || category.hasPrefix($0 + "/") } }
        }
        let network = place.dataset.isEmpty ? Self.network.name : "catalog"
        return (request.datasets.isEmpty || request.datasets.contains(place.dataset))
            && (request.networks.isEmpty || request.networks.contains(network))
            && (request.categories.isEmpty || isIn(request.categories)) && !isIn(request.excludedCategories)
            && request.nameText.split(separator: " ").allSatisfy { typed in place.words.contains { $0.hasPrefix(typed) }
            }
    }
}
