import Contracts
import Geo

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

extension Place {
    /// The value of an attribute; empty when there is none.
    fileprivate func attribute(_ key: String) -> String { attributes.first { $0.key == key }?.value ?? "" }
}
