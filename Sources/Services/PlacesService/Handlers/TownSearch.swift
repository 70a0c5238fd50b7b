import PlaceContracts
import Geo
import RPC
import Requests

/// Finds the nearest town of a point, with the region and country from the dataset of towns.
struct TownSearch {
    let view: CatalogView
    let scratch: SearchScratch

    /// The most towns that are looked at for one of a country.
    private static let most = 200

    func town(of position: Geo.Coordinate, checkpoint: (Int) throws -> Void) throws -> ReverseGeocodeResponse {
        guard let town = try towns(around: position, 1, checkpoint: checkpoint).first else { throw PlacesError.noTowns }
        return ReverseGeocodeResponse(town)
    }

    /// The nearest town that is in a country; nil when there is none near.
    func town(
        of position: Geo.Coordinate, in country: String, checkpoint: (Int) throws -> Void
    ) throws -> ReverseGeocodeResponse? {
        try towns(around: position, Self.most, checkpoint: checkpoint)
            .first { $0.attribute("country") == country && ($0.distanceM ?? 0) <= ReverseGeocodeResponse.townReach }
            .map { ReverseGeocodeResponse($0) }
    }

    private func towns(
        around position: Geo.Coordinate, _ limit: Int, checkpoint: (Int) throws -> Void
    ) throws -> [Place] {
        guard let towns = view.towns else { throw PlacesError.noTowns }
        let query = try NearbyQuery(centre: position, limit: limit, filter: towns)
        _ = try view.set.nearby(query, using: scratch, checkpoint: checkpoint)
        let answer = PlacesAnswer(set: view.set, mask: FieldMask([]))
        return try scratch.hits.map { try answer.place($0) }
    }
}

extension PlacesHandler {
    func reverseGeocode(_ request: ReverseGeocodeRequest, _ context: CallContext) async throws -> ReverseGeocodeResponse
    {
        let position = try Geo.Coordinate(request.position, field: "position")
        var response = try await search(context, byName: false) { view, scratch, checkpoint in
            try TownSearch(view: view, scratch: scratch).town(of: position, checkpoint: checkpoint)
        }
        let metres = response.town?.distanceM ?? .infinity
        // After a start they may still be read; near a town nothing waits for them.
        var isBeyondBorder = false
        if metres > ReverseGeocodeResponse.sureReach,
            case .country(let code, _)? = await geocoder.sources.areas.sureArea(of: position), !code.isEmpty,
            code != response.countryCode
        {
            let inside = try await search(context, byName: false) { view, scratch, checkpoint in
                try TownSearch(view: view, scratch: scratch).town(of: position, in: code, checkpoint: checkpoint)
            }
            if let inside { response = inside } else { isBeyondBorder = true }
        }
        if !isBeyondBorder, let town = response.town, let metres = town.distanceM,
            metres <= ReverseGeocodeResponse.townReach
        {
            response.name = town.name
        } else {
            response.callPoint(in: await geocoder.sources.areas.area(of: position))
        }
        return response
    }
}

extension ReverseGeocodeResponse {
    /// Farther away than this, in metres, a town does not say where a point is.
    static let townReach = 50_000.0
    /// Nearer than this a point is in the town's country.
    fileprivate static let sureReach = 3_000.0

    fileprivate init(_ town: Place) {
        self.init(
            town: town, region: town.attribute("region"), countryCode: town.attribute("country"),
            country: town.attribute("country_name"))
    }

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
