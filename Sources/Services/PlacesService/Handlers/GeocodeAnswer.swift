import PlaceContracts
import Geo
import Requests
import Wire

/// The attribution of the gazetteer's data.
private enum GazetteerSource {
    static let towns = (attribution: "GeoNames, CC BY 4.0", licence: "CC-BY-4.0")
    static let countries = (
        attribution: "GeoNames, CC BY 4.0; Unicode CLDR; Natural Earth", licence: "CC-BY-4.0, Unicode-3.0"
    )
}

extension GeocodeMatch {
    /// A country, a region or a town.
    init(_ match: GazetteerSearch.Match, in gazetteer: Gazetteer) {
        let record = match.record
        let country = gazetteer.record(UInt32(record.country))
        let source = record.kind == .country ? GazetteerSource.countries : GazetteerSource.towns
        self.init()
        kind = GeocodeKind(record.kind)
        name = gazetteer.text(record.name)
        position = BaseContracts.Coordinate(record.position)
        box = BaseContracts.Box(gazetteer.extent(match.index) ?? .around(record.position, people: record.population))
        if record.kind == .town, let outer = gazetteer.record(UInt32(record.region)), outer.kind == .region {
            region = gazetteer.text(outer.name)
        }
        if let country {
            countryCode = country.countryCode
            self.country = gazetteer.text(country.name)
        }
        population = UInt64(record.population)
        if record.kind == .town { placeId = "catalog/\(CatalogView.townsName)/\(record.sourceID)" }
        (attribution, licence) = source
        changedLetters = UInt32(clamping: match.changes)
    }

    /// A house, and where it is if that is known.
    init(_ address: Address, in place: Whereabouts?) {
        self.init()
        kind = .address
        name = address.name(in: place?.countryCode ?? "")
        position = BaseContracts.Coordinate(address.position)
        box = BaseContracts.Box(.around(address.position, metres: 100))
        region = place?.region ?? ""
        countryCode = place?.countryCode ?? ""
        country = place?.country ?? ""
        let around = place?.inside.municipality?.name ?? place?.town?.name ?? ""
        town = address.city.isEmpty ? around : address.city
        postcode = address.postcode
        (attribution, licence) = (address.attribution, address.licence)
    }
}

extension GeocodeQuestion {
    func wants(countryCode: String) -> Bool { countryCodes.isEmpty || countryCodes.contains(countryCode) }
}

extension GeocodeKind {
    init(_ kind: GazetteerRecord.Kind) {
        self =
            switch kind {
            case .country: .country
            case .region: .region
            case .town: .town
            }
    }
}

extension BaseContracts.Coordinate {
    init(_ point: Geo.Coordinate) { self.init(latitude: point.latitude, longitude: point.longitude) }
}
