import Files
import FoundationEssentials
import Terminal

/// One question with its right answer, as an independent program wrote it: how many places there are within a radius,
/// and which ten are nearest, whatever the radius.
///
///     {"lat": 60.17, "lon": 24.94, "radius_m": 500, "count": 910, "count_r_minus_0.6pct": 900,
///      "count_r_plus_0.6pct": 917, "nearest": [["osm:node/1", 16.89], …]}
struct TruthLine: Decodable, Equatable, Sendable {
    /// A place's id in its file, with its distance in metres to two decimals.
    struct Neighbour: Decodable, Equatable, Sendable {
        let id: String
        let metres: Double
    }

    let latitude: Double
    let longitude: Double
    /// Metres.
    let radius: Double
    let count: UInt64
    /// What an ellipsoid's distances may make of the count.
    let tolerated: ClosedRange<UInt64>
    let nearest: [Neighbour]

    private enum CodingKeys: String, CodingKey {
        case latitude = "lat"
        case longitude = "lon"
        case radius = "radius_m"
        case count
        case lowest = "count_r_minus_0.6pct"
        case highest = "count_r_plus_0.6pct"
        case nearest
    }

    init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: CodingKeys.self)
        latitude = try line.decode(Double.self, forKey: .latitude)
        longitude = try line.decode(Double.self, forKey: .longitude)
        radius = try line.decode(Double.self, forKey: .radius)
        count = try line.decode(UInt64.self, forKey: .count)
        let lowest = try line.decodeIfPresent(UInt64.self, forKey: .lowest) ?? count
        let highest = try line.decodeIfPresent(UInt64.self, forKey: .highest) ?? count
        tolerated = min(lowest, count)...max(highest, count)
        nearest = try line.decode([Neighbour].self, forKey: .nearest)
    }
}

extension TruthLine.Neighbour {
    /// A pair: ["osm:node/1", 16.89]
    init(from decoder: any Decoder) throws {
        var pair = try decoder.unkeyedContainer()
        id = try pair.decode(String.self)
        metres = try pair.decode(Double.self)
    }
}

/// A file with one truth a line.
enum TruthFile {
    private static let maximumBytes: UInt64 = 256 << 20

    /// All lines with their numbers from 1; empty ones are passed over. Blocks.
    static func read(_ path: String) throws -> [(number: Int, line: TruthLine)] {
        let bytes = try contents(path)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return try lines.enumerated().filter { !$0.element.isEmpty }.map { index, bytes in
            do {
                return (index + 1, try JSONDecoder().decode(TruthLine.self, from: Data(bytes)))
            } catch {
                throw CommandFailure(
                    "\(path), line \(index + 1) is no truth: lat, lon, radius_m, count and nearest are needed")
            }
        }
    }

    private static func contents(_ path: String) throws -> [UInt8] {
        let file = try OpenFile(reading: path)
        guard let size = try file.size(), size <= maximumBytes else {
            throw CommandFailure("\(path) is no ordinary file of at most \(Quantity.bytes(maximumBytes))")
        }
        return try file.read(at: 0, limit: Int(size))
    }
}
