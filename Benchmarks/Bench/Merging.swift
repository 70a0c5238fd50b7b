import Composition
import Geo

/// How long it takes to merge the places of two networks, each of which has every thing of a city of made-up names.
struct Merging {
    private static let words = """
        Harbour Crooked Blue Lantern Fen Tarn Olive Stone Mill River Fox Cedar Golden North Silver Anchor Willow Ember
        Moss Quarry Thistle Raven Marble Orchard Copper Juniper Heron Amber Saffron Birch
        """.split { $0.isWhitespace }.map(String.init)
    private static let kinds = ["Café", "Hotel", "Museum", "Bakery", "Restaurant", "Library", "Books", "Pharmacy"]
    /// How wide the city is, in degrees, and how far the networks are apart about a place.
    private static let (width, error) = (0.3, 0.0003)

    /// Prints the seconds, and those on a processor, for growing numbers of places.
    static func run() throws {
        for count in [12_500, 25_000, 50_000, 100_000] {
            let places = try places(count)
            var things = 0
            let before = ProcessorTime.own
            let time = ContinuousClock().measure { things = MergedPlaces.groups(of: places).count }
            let (seconds, busy) = (time / .seconds(1), ProcessorTime.own - before)
            print("{\"places\":\(count),\"things\":\(things),\"seconds\":\(seconds),\"busy_seconds\":\(busy)}")
        }
    }

    private static func places(_ count: Int) throws -> [SeenPlace] {
        try (0..<count / 2).flatMap { index in
            let name =
                [words, words, kinds].compactMap { $0.randomElement() }.joined(separator: " ") + " \(index % 97)"
            let (latitude, longitude) = (48 + Double.random(in: 0...width), 2 + Double.random(in: 0...width))
            return try ["openstreetmap", "foursquare"].map { network in
                SeenPlace(
                    id: "\(network)/\(index)", name: name, categories: [],
                    position: try Coordinate(
                        latitude: latitude + .random(in: -error...error),
                        longitude: longitude + .random(in: -error...error)))
            }
        }
    }
}
