import BaseContracts
import Bytes
import Geo
import PlaceContracts
import Requests
import Texts

/// An area of a dataset that a text names.
struct FoundArea {
    /// As `area` of searches takes it.
    let id: String
    let filter: AreaFilter
}

extension FindSources {
    /// Categories of what may have a border: a shop that is called as its quarter is no area.
    private static let ofAreas = ["place/", "boundary/", "leisure/park", "leisure/nature_reserve"]

    /// The area of a dataset that is called so and holds a position: the smallest of several.
    /// - Parameter text: folded.
    func area(named text: ArraySlice<UInt8>, around position: Geo.Coordinate) -> FoundArea? {
        for dataset in view.datasets {
            guard let areas = dataset.areas else { continue }
            let named = areas.areas(holding: position, AreaFilter.kinds).compactMap { number in
                areas.record(number).map { (number: number, record: $0) }
            }.filter { _, record in
                ([record.name] + record.names.map(\.name)).contains { FoldedText($0).bytes[...] == text }
            }
            if let best = named.max(by: { $0.1.level < $1.1.level }) {
                return FoundArea(
                    id: AreaFilter.id(of: best.1, in: dataset.name), filter: AreaFilter(areas, best.0))
            }
        }
        return nil
    }

    /// The area that a result is; nil where it is none, or its border is not known.
    func area(of result: FindResult, countryCode: String) -> FoundArea? {
        let isPlace =
            result.kind == .place
            && result.categories.contains { category in
                Self.ofAreas.contains { category.begins(with: $0) }
            }
        if isPlace || result.kind == .town, let point = result.position,
            let position = try? Geo.Coordinate(latitude: point.latitude, longitude: point.longitude)
        {
            return area(named: FoldedText(result.name).bytes[...], around: position)
        }
        let id: String
        switch result.kind {
        case .country: id = "country/\(countryCode)"
        case .region: id = "region/\(countryCode)/\(result.name)"
        default: return nil
        }
        return AreaFilter(id: id, in: view, areas).map { FoundArea(id: id, filter: $0) }
    }
}

extension FindResult {
    /// The same as the area that it is.
    func with(_ found: FoundArea?) -> FindResult {
        guard let found else { return self }
        var result = self
        result.area = found.id
        if let bounds = found.filter.bounds { result.box = BaseContracts.Box(bounds) }
        return result
    }
}
