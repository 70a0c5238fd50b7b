import PlaceContracts
import Geo
import RPC
import Requests

/// Finds the nearest town of a point, with the region and country from the dataset of towns.
struct TownSearch {
    let view: CatalogView
    let scratch: SearchScratch

    func town(of position: Geo.Coordinate, checkpoint: (Int) throws -> Void) throws -> ReverseGeocodeResponse {
        guard let towns = view.towns else { throw PlacesError.noTowns }
        let query = try NearbyQuery(centre: position, limit: 1, filter: towns)
        _ = try view.set.nearby(query, using: scratch, checkpoint: checkpoint)
        guard let hit = scratch.hits.first else { throw PlacesError.noTowns }
        let town = try PlacesAnswer(set: view.set, mask: FieldMask([])).place(hit)
        return ReverseGeocodeResponse(
            town: town, region: town.attribute("region"), countryCode: town.attribute("country"),
            country: town.attribute("country_name"))
    }
}

extension PlacesHandler {
    func reverseGeocode(_ request: ReverseGeocodeRequest, _ context: CallContext) async throws -> ReverseGeocodeResponse
    {
        let position = try Geo.Coordinate(request.position, field: "position")
        var response = try await search(context, byName: false) { view, scratch, checkpoint in
            try TownSearch(view: view, scratch: scratch).town(of: position, checkpoint: checkpoint)
        }
        if let town = response.town, let metres = town.distanceM, metres <= ReverseGeocodeResponse.townReach {
            response.name = town.name
        } else {
            // After a start they may still be read; near a town nothing waits for them.
            response.callPoint(in: await geocoder.sources.areas.area(of: position))
        }
        return response
    }
}

extension ReverseGeocodeResponse {
    /// Farther away than this, in metres, a town does not say where a point is.
    static let townReach = 50_000.0

    /// Far from every town a point has the country of the area it lies in, and the nearest town's region where that is
    /// in the same country.
    fileprivate mutating func callPoint(in area: AreaOutlines.Area?) {
        switch area {
        case .sea(let sea):
            (region, countryCode, country, name) = ("", "", "", sea)
        case .country(let code, let area):
            if code.isEmpty || code != countryCode { (region, countryCode, country) = ("", code, area) }
            name = [region, country].filter { !$0.isEmpty }.joined(separator: ", ")
        case nil: break
        }
    }
}

extension Place {
    /// The value of an attribute; empty when there is none.
    fileprivate func attribute(_ key: String) -> String { attributes.first { $0.key == key }?.value ?? "" }
}
