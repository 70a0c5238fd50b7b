import Bytes
import PlaceContracts
import Geo
import Requests
import Texts

/// Results of which each is something else: stations are mapped many times over, towns are places of datasets too, and
/// a street is on the map and in the addresses of its houses.
struct DistinctResults {
    private static let samePlaceMetres = 250.0
    private static let sameTownMetres = 5_000.0
    /// Between two ends of one line, and from a line to a house that is called after it.
    private static let besideLineMetres = 500.0
    /// Things that are drawn as areas where the line of the same name runs.
    private static let alongLines = ["place/square", "man_made/bridge", "man_made/tunnel", "natural/"]

    let limit: Int
    private(set) var results: [FindResult] = []
    private var names: [[UInt8]] = []

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { results.count >= limit }

    /// The first of a kind stays, with what others know better.
    mutating func add(_ result: FindResult) {
        let name = FoldedText(result.name).bytes
        for index in results.indices where names[index] == name && Self.isSame(results[index], result) {
            results[index].complete(by: result)
            return
        }
        results.append(result)
        names.append(name)
    }

    private static func isSame(_ a: FindResult, _ b: FindResult) -> Bool {
        guard let left = a.position, let right = b.position,
            let from = try? Geo.Coordinate(left, field: "position"),
            let to = try? Geo.Coordinate(right, field: "position")
        else { return false }
        if !a.placeId.isEmpty, a.placeId == b.placeId { return true }
        if a.isLine || b.isLine { return isSameLine(a, b) }
        let metres = from.metres(to: to)
        switch (a.kind, b.kind) {
        case (.place, .place): return metres <= samePlaceMetres
        case (.place, .town): return a.isSettlement && metres <= sameTownMetres
        case (.town, .place): return b.isSettlement && metres <= sameTownMetres
        case (.town, .town): return left == right
        case (.street, .street), (.postcode, .postcode): return metres <= sameTownMetres
        default: return a.kind == b.kind && left == right
        }
    }

    /// Of the street that only addresses tell of, one of its houses lies beside the line.
    private static func isSameLine(_ a: FindResult, _ b: FindResult) -> Bool {
        func isDrawnSo(_ result: FindResult) -> Bool {
            result.isLine || result.kind == .street
                || result.categories.contains { category in alongLines.contains { category.begins(with: $0) } }
        }
        guard isDrawnSo(a), isDrawnSo(b), let left = a.extent, let right = b.extent else { return false }
        return left.meets(right, within: besideLineMetres)
    }
}

extension FindResult {
    /// Whether it is a place where people live.
    fileprivate var isSettlement: Bool { categories.contains { $0.begins(with: "place/") } }

    fileprivate var isLine: Bool { categories.contains { $0.begins(with: LineCategory.path + "/") } }

    /// What it covers: of a line its box, of other things their point.
    fileprivate var extent: Extent? {
        if isLine, let corner = box?.southWest, let other = box?.northEast { return Extent(corner, other) }
        return position.map { Extent($0, $0) }
    }

    /// A street that addresses tell of takes its place from the map, and that of the map its town from the addresses.
    fileprivate mutating func complete(by other: FindResult) {
        guard kind == .street, other.kind == .street, isLine != other.isLine else { return }
        let town = isLine ? other.context : context
        if !isLine {
            (position, box, placeId, categories) = (other.position, other.box, other.placeId, other.categories)
            (attribution, licence) = (other.attribution, other.licence)
        }
        if !town.isEmpty { context = town }
    }
}

/// A box in degrees, on a map that ends at the antimeridian.
private struct Extent {
    private static let metresOfDegree = 111_195.0
    private let south: Double
    private let west: Double
    private let north: Double
    private let east: Double

    init(_ southWest: BaseContracts.Coordinate, _ northEast: BaseContracts.Coordinate) {
        (south, west) = (southWest.latitude, southWest.longitude)
        (north, east) = (northEast.latitude, northEast.longitude)
    }

    func meets(_ other: Extent, within metres: Double) -> Bool {
        let up = metres / Self.metresOfDegree
        let along = up / max(FindRanking.narrowing(at: south), 0.01)
        return south - up <= other.north && other.south - up <= north && west - along <= other.east
            && other.west - along <= east
    }
}
