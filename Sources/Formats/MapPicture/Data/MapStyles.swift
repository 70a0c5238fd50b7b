import FoundationEssentials
import Glibc

/// How streets, areas and borders are drawn: `styles.json` of the map's data, by which the web draws its map as well.
struct MapStyles: Decodable, Sendable {
    /// A class of streets.
    struct Street: Decodable, Sendable {
        let name: String
        /// Points at zoom 16, and at least anywhere.
        let width: Double
        let least: Double?
        /// The zoom from which on it is drawn.
        let from: Double
        /// Names of colours.
        let tint: String
        let casing: String?
        let dash: [Double]?

        func width(at zoom: Double) -> Double { max(least ?? 0.7, width * pow(1.62, zoom - 16)) }
    }

    struct Area: Decodable, Sendable {
        let name: String
        /// The name of a colour.
        let tint: String
    }

    struct Border: Decodable, Sendable {
        let width: Double
        let dash: [Double]
    }

    /// The smallest first.
    let streets: [Street]
    /// In the order in which they are drawn.
    let areas: [Area]
    /// Widths in points, by the class.
    let waterways: [String: Double]
    let borders: [String: Border]

    init(_ bytes: [UInt8]) throws(MapProblem) {
        do {
            self = try JSONDecoder().decode(MapStyles.self, from: Data(bytes))
        } catch {
            throw .unreadable("styles.json is no table of styles")
        }
    }

    /// Of a street's class; one that is not known is drawn as a small street.
    func street(_ shape: MapShape) -> Street? {
        streets.first { $0.name == shape.kind } ?? streets.first { $0.name == "service" }
    }
}
