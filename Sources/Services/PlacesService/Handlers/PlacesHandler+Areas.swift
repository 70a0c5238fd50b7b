import BaseContracts
import Bytes
import Geo
import PlaceContracts
import RPC
import Refusals
import Requests

extension PlacesHandler {
    /// The area with an id; nil for none. Refuses one that is not known.
    func area(_ id: String, _ context: CallContext) async throws -> AreaFilter? {
        if id.isEmpty { return nil }
        let (view, world) = (try await view(of: context), await geocoder.sources.areas)
        let found = try await runBlocking { AreaFilter(id: id, in: view, world) }
        guard let area = found else {
            throw Refusal(
                "area", id, allowed: "the id of an area that ReverseGeocode gives, country/FI or region/FI/Uusimaa is")
        }
        return area
    }

    func getArea(_ request: GetAreaRequest, _ context: CallContext) async throws -> GetAreaResponse {
        guard let area = try await area(request.area, context) else { return GetAreaResponse() }
        let view = try await view(of: context)
        return try await runBlocking {
            let record = area.record(request.languages)
            let facts = view.facts(ofArea: request.area)
            return GetAreaResponse(
                name: record?.name(in: request.languages) ?? "",
                kind: record.flatMap { PlaceContracts.AreaKind($0.kind) } ?? .unspecified,
                level: UInt32(record?.level ?? 0), box: area.bounds.map { BaseContracts.Box($0) },
                lines: AreaOutline(of: area, zoom: request.zoom).lines.map { AreaLine(steps: $0) },
                attribution: facts?.attribution ?? "", licence: facts?.licence ?? "")
        }
    }
}

extension CatalogView {
    /// What is known of the dataset that an area is of; nil for one of the world's outlines.
    fileprivate func facts(ofArea id: String) -> DatasetFacts? {
        guard let (kind, rest) = id.halves(at: "/"), kind == "catalog", let (name, _) = rest.halves(at: "/") else {
            return nil
        }
        return datasets.first { $0.name.description == name }?.facts
    }
}

extension PlaceContracts.AreaKind {
    /// Nil for what is no area for people, as the outline of a house.
    init?(_ kind: Geo.AreaKind) {
        switch kind {
        case .country: self = .country
        case .region: self = .region
        case .place: self = .place
        case .park: self = .park
        case .square: self = .square
        case .island: self = .island
        case .house, .sea, .street, .lake: return nil
        }
    }
}
