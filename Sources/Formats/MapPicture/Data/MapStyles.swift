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

    /// What is marked at a point.
    struct Mark: Decodable, Sendable {
        let name: String
        /// The level from which on it is drawn.
        let from: Int
        let tint: String
        /// A drawing; nil for a peak.
        let icon: String?
    }

    /// A town, or a part of one.
    struct Place: Decodable, Sendable {
        let name: String
        /// The levels that show it.
        let from: Int
        let to: Int
        /// The size of its letters on the web's map.
        let points: Double
        let isPart: Bool?
    }

    /// The smallest first.
    let streets: [Street]
    /// In the order in which they are drawn.
    let areas: [Area]
    /// Widths in points, by the class.
    let waterways: [String: Double]
    let borders: [String: Border]
    /// From which level on roads of a class have their number.
    let shields: [String: Int]
    /// The most important first.
    let places: [Place]
    /// The most important first.
    let marks: [Mark]
    /// Drawings of marks, 24 units wide, as lines of SVG.
    let icons: [String: String]

    init(_ bytes: [UInt8]) throws(MapProblem) {
        do {
            self = try JSONDecoder().decode(MapStyles.self, from: Data(bytes))
        } catch {
            throw .unreadable("styles.json is no table of styles")
        }
    }

    func street(_ kind: String) -> Street? { streets.first { $0.name == kind } }
}
