import Geo
import PlaceContracts
import RPC
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
        guard let kind = PlaceContracts.AreaKind(part.record.kind) else { return nil }
        self.init(
            id: AreaFilter.id(of: part.record, in: part.dataset), name: part.record.name(in: languages), kind: kind,
            level: UInt32(part.record.level))
    }
}
