import Bytes
import Geo
import PlaceContracts
import Wire

/// An area as a condition for places: exact, by its borders.
struct AreaFilter: Sendable {
    private enum Shape {
        case record(AreaIndex, UInt32)
        /// A country; with a region, only that.
        case world(WorldAreas, code: String, region: String?)
    }

    private let shape: Shape

    /// An area of a dataset.
    init(_ index: AreaIndex, _ record: UInt32) { shape = .record(index, record) }

    /// A country, or a region of it as the table of towns calls it.
    init(_ world: WorldAreas, code: String, region: String? = nil) {
        shape = .world(world, code: code, region: region)
    }

    /// Takes an id: "catalog/<dataset>/relation/1155956" as `ReverseGeocode` gives it, "country/FI" or
    /// "region/FI/Uusimaa". Nil for what is not known.
    init?(id: String, in view: CatalogView, _ world: WorldAreas) {
        guard let (kind, rest) = id.halves(at: "/") else { return nil }
        switch kind {
        case "catalog":
            guard let (dataset, own) = rest.halves(at: "/"),
                let areas = view.datasets.first(where: { $0.name.description == dataset })?.areas,
                let number = areas.number(ofID: String(own))
            else { return nil }
            self.init(areas, number)
        case "country":
            guard world.has(code: String(rest), region: nil) else { return nil }
            self.init(world, code: String(rest))
        case "region":
            guard let (code, name) = rest.halves(at: "/"), world.has(code: String(code), region: String(name))
            else { return nil }
            self.init(world, code: String(code), region: String(name))
        default: return nil
        }
    }

    func contains(_ position: Geo.Coordinate) -> Bool {
        switch shape {
        case .record(let index, let record):
            index.areas(holding: position, Self.kinds).contains(record)
        case .world(let world, let code, let region):
            world.land(at: position).map { $0.code == code && (region == nil || $0.region == region) } ?? false
        }
    }

    static let kinds: Set<Geo.AreaKind> = [.country, .region, .place, .park, .square, .island]

    /// The middle of the box around it; nil where that is not known.
    var centre: Geo.Coordinate? {
        guard case .record(let index, let record) = shape else { return nil }
        return index.centre(of: record)
    }

    /// Whether a place of a snapshot lies in it.
    func accepts(_ record: UnsafeRawBufferPointer) -> Bool {
        guard let message = unsafe StoredPlace.message(of: record), let place = try? unsafe Place(packed: message),
            let point = place.point
        else { return false }
        return contains(point)
    }
}
