import Bytes
import Geo
import Glibc

/// The outlines of countries and seas, for telling what a point lies in that is far from every town. They are good for
/// some kilometres only.
struct AreaOutlines: Sendable {
    /// What a point lies in.
    enum Area: Equatable, Sendable {
        /// The code is empty where a country has none.
        case country(code: String, name: String)
        case sea(name: String)
    }

    private struct Point {
        let latitude: Float
        let longitude: Float
    }

    /// A part of an outline: points that are joined one after the other.
    private struct Line {
        let points: [Point]
        let south: Float
        let north: Float
        let east: Float

        init(_ points: [Point]) {
            self.points = points
            south = points.map(\.latitude).min() ?? 0
            north = points.map(\.latitude).max() ?? 0
            east = points.map(\.longitude).max() ?? 0
        }
    }

    /// Countries before seas: what is on land is in no sea, however roughly that is drawn.
    private var shapes: [(area: Area, lines: [Line])] = []

    /// Of nothing: no point lies in anything.
    init() {}

    /// Reads the table in the folder of bundled data; about a tenth of a second. Blocks.
    init(bundledIn folder: String) throws(PlacesError) {
        var table = try BundledTable(path: "\(folder)/names/areas.tsv.gz")
        let (kind, code) = (try table.column("kind"), try table.column("code"))
        let (name, outline) = (try table.column("name"), try table.column("outline"))
        var last: Area?
        while try table.next() {
            let area: Area =
                try table.text(kind) == "sea"
                ? .sea(name: try table.text(name))
                : .country(code: try table.text(code), name: try table.text(name))
            if area != last { shapes.append((area, [])) }
            last = area
            let line = Line(try Self.points(try table.text(outline)))
            if let index = shapes.indices.last { shapes[index].lines.append(line) }
        }
    }

    /// "60.1,24.9 60.2,25"
    private static func points(_ text: String) throws(PlacesError) -> [Point] {
        var points: [Point] = []
        for pair in text.split(at: " ") {
            let numbers = pair.split(at: ",").compactMap { Float($0) }
            guard numbers.count == 2, let latitude = numbers.first, let longitude = numbers.last else {
                throw .damaged(what: "an outline of names/areas.tsv.gz")
            }
            points.append(Point(latitude: latitude, longitude: longitude))
        }
        return points
    }

    /// The first area that holds the point; nil when none does.
    func area(of position: Coordinate) -> Area? {
        // The outline of Antarctica ends at the pole.
        let latitude = Float(max(-89.99, min(89.99, position.latitude)))
        let longitude = Float(position.longitude)
        return shapes.first { Self.crossings($0.lines, latitude, longitude) % 2 == 1 }?.area
    }

    /// How far outlines may be wrong, in degrees of latitude: some five kilometres.
    private static let error: Float = 0.045

    /// The country that the point lies in, with all that is around it as far as outlines may be wrong; nil near a
    /// border or the sea.
    func sureArea(of position: Coordinate) -> Area? {
        guard let area = area(of: position), case .country = area else { return nil }
        let (latitude, longitude) = (Float(position.latitude), Float(position.longitude))
        let wide = Self.error / max(0.05, cos(latitude * .pi / 180))
        let around = [(Self.error, 0), (-Self.error, 0), (0, wide), (0, -wide)].map { north, east in
            (max(-89.99, min(89.99, latitude + north)), longitude + east)
        }
        let lines = shapes.first { $0.area == area }?.lines ?? []
        return around.allSatisfy { Self.crossings(lines, $0.0, $0.1) % 2 == 1 } ? area : nil
    }

    /// How often a way due east from the point crosses the lines: an odd number when it begins inside.
    private static func crossings(_ lines: [Line], _ latitude: Float, _ longitude: Float) -> Int {
        var count = 0
        for line in lines where line.south <= latitude && latitude < line.north && longitude < line.east {
            for (start, end) in zip(line.points, line.points.dropFirst())
            where (start.latitude > latitude) != (end.latitude > latitude) {
                let part = (latitude - start.latitude) / (end.latitude - start.latitude)
                if longitude < start.longitude + part * (end.longitude - start.longitude) { count += 1 }
            }
        }
        return count
    }
}
