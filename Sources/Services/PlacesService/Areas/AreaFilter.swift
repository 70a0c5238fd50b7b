import Bytes
import Geo
import PlaceContracts
import Wire

/// An area as a condition for places: by its borders; one of the world's outlines also as far from a coast as they may
/// be wrong there.
struct AreaFilter: Sendable {
    private enum Shape {
        case record(AreaIndex, UInt32)
        /// Regions of the world.
        case world(WorldAreas, Set<UInt32>)
    }

    private let shape: Shape
    /// Nil where that is not known.
    private let box: AreaBox?

    /// An area of a dataset.
    init(_ index: AreaIndex, _ record: UInt32) {
        shape = .record(index, record)
        box = index.box(around: [record])
    }

    /// A country, or a region of it as the table of towns calls it; nil where there is none.
    private init?(_ world: WorldAreas, code: String, region: String?) {
        let records = world.records(code: code, region: region)
        guard !records.isEmpty else { return nil }
        shape = .world(world, records)
        box = world.box(around: records)
    }

    /// Takes an id: "catalog/<dataset>/relation/1155956" as `ReverseGeocode` gives it, "country/FI" or
    /// "region/FI/Uusimaa". Nil for what is not known. Takes some milliseconds for a country.
    init?(id: String, in view: CatalogView, _ world: WorldAreas) {
        guard let (kind, rest) = id.halves(at: "/") else { return nil }
        switch kind {
        case "catalog":
            guard let (dataset, own) = rest.halves(at: "/"),
                let areas = view.datasets.first(where: { $0.name.description == dataset })?.areas,
                let number = areas.number(ofID: String(own))
            else { return nil }
            self.init(areas, number)
        case "country": self.init(world, code: String(rest), region: nil)
        case "region":
            guard let (code, name) = rest.halves(at: "/") else { return nil }
            self.init(world, code: String(code), region: String(name))
        default: return nil
        }
    }

    func contains(_ position: Geo.Coordinate) -> Bool {
        switch shape {
        case .record(let index, let record):
            return box?.holds(position) ?? false && index.holds(record, position)
        case .world(let world, let records):
            guard box?.holds(position, within: WorldAreas.coastError) ?? false else { return false }
            return world.record(at: position).map(records.contains) ?? false
        }
    }

    static let kinds: Set<Geo.AreaKind> = [.country, .region, .place, .park, .square, .island]

    /// The id of an area of a dataset.
    static func id(of record: AreaRecord, in dataset: DatasetName) -> String { "catalog/\(dataset)/\(record.id)" }

    /// The box around it; nil where that is not known, or as wide as the Earth.
    var bounds: Geo.Box? { box?.bounds }

    /// The middle of the box around it; nil where that is not known.
    var centre: Geo.Coordinate? { box?.centre }

    /// How far it may reach from a position, in metres.
    func reach(from position: Geo.Coordinate) -> Double { box?.reach(from: position) ?? .infinity }

    /// The lines around it; see `AreaIndex.rings`. Of the world's outlines all points.
    func lines(spacing: Double, most: Int) -> [[AreaPoint]]? {
        switch shape {
        case .record(let index, let record):
            index.rings(of: [record], spacing: spacing, most: most).map(AreaBorder.around)
        case .world(let world, let records): world.rings(of: records, most: most).map(AreaBorder.around)
        }
    }

    /// What it is: the record of a dataset, or a country or region as the table of towns calls it.
    /// - Parameter languages: those that names are wanted in.
    func record(_ languages: [String]) -> AreaRecord? {
        switch shape {
        case .record(let index, let record): index.record(record, names: languages)
        case .world(let world, let records): world.record(of: records)
        }
    }

    /// Whether a place of a snapshot lies in it.
    func accepts(_ record: UnsafeRawBufferPointer) -> Bool {
        guard let message = unsafe StoredPlace.message(of: record), let place = try? unsafe Place(packed: message),
            let point = place.point
        else { return false }
        return contains(point)
    }
}
