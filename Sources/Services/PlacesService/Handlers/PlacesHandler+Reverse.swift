import Geo
import PlaceContracts
import RPC
import Refusals
import Requests

extension PlacesHandler {
    func reverseGeocode(_ request: ReverseGeocodeRequest, _ context: CallContext) async throws -> ReverseGeocodeResponse
    {
        let position = try Geo.Coordinate(request.position, field: "position")
        let (languages, world) = (request.languages, await geocoder.sources.areas.with(await hours.tables))
        return try await search(context, byName: false) { view, scratch, checkpoint in
            guard view.towns != nil else { throw PlacesError.noTowns }
            let place = try Whereabouts(
                of: position, in: view, world, languages: languages, scratch, checkpoint: checkpoint)
            let spot = try NearestSpot(
                at: position, place.inside, in: view, languages: languages, scratch, checkpoint: checkpoint)
            return ReverseGeocodeResponse(place, spot, languages)
        }
    }
}

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
}

extension ReverseGeocodeResponse {
    init(_ place: Whereabouts, _ spot: NearestSpot, _ languages: [String]) {
        let house = spot.house.map { $0.name(in: place.countryCode) } ?? ""
        let street = spot.house.map(\.street) ?? spot.street
        let quarter = place.inside.quarter?.name(in: languages) ?? ""
        let here = [spot.square, house, street, quarter].first { !$0.isEmpty } ?? ""
        self.init(
            town: place.town ?? place.nearest, region: place.region, countryCode: place.countryCode,
            country: place.country,
            name: [here, place.surroundings(languages)].filter { !$0.isEmpty }.joined(separator: ", "), house: house,
            street: street, quarter: quarter, municipality: place.inside.municipality?.name(in: languages) ?? "",
            areas: place.inside.parts.compactMap { ContainingArea($0, languages) })
    }
}

extension ContainingArea {
    /// Nil for what is no area for people, as the outline of a house.
    fileprivate init?(_ part: ContainedIn.Part, _ languages: [String]) {
        let kind: PlaceContracts.AreaKind
        switch part.record.kind {
        case .country: kind = .country
        case .region: kind = .region
        case .place: kind = .place
        case .park: kind = .park
        case .square: kind = .square
        case .island: kind = .island
        case .house, .sea, .street: return nil
        }
        self.init(
            id: AreaFilter.id(of: part.record, in: part.dataset), name: part.record.name(in: languages), kind: kind,
            level: UInt32(part.record.level))
    }
}
