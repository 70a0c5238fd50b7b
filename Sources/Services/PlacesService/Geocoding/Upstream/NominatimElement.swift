import Bytes
import FoundationEssentials
import Geo
import LiveNetworks

/// One match as Nominatim writes it. Numbers come as numbers and as texts.
struct NominatimElement: Decodable, Sendable {
    let lat: LooseNumber
    let lon: LooseNumber
    let boundingbox: [LooseNumber]?
    let name: String?
    let displayName: String?
    let addresstype: String?
    let type: String?
    let address: [String: String]?
    let licence: String?

    enum CodingKeys: String, CodingKey {
        case lat, lon, boundingbox, name, addresstype, type, address, licence
        case displayName = "display_name"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        lat = try fields.decode(LooseNumber.self, forKey: .lat)
        lon = try fields.decode(LooseNumber.self, forKey: .lon)
        boundingbox = try? fields.decode([LooseNumber].self, forKey: .boundingbox)
        name = try? fields.decode(String.self, forKey: .name)
        displayName = try? fields.decode(String.self, forKey: .displayName)
        addresstype = try? fields.decode(String.self, forKey: .addresstype)
        type = try? fields.decode(String.self, forKey: .type)
        address = try? fields.decode([String: String].self, forKey: .address)
        licence = try? fields.decode(String.self, forKey: .licence)
    }
}

extension ForeignMatch {
    private static let regions: Set<String> = ["state", "region", "province", "county", "state_district"]
    private static let towns: Set<String> = [
        "city", "town", "village", "hamlet", "municipality", "suburb", "borough", "quarter", "neighbourhood",
    ]
    private static let roads = ["road", "pedestrian", "footway", "street", "place"]
    private static let townKeys = ["city", "town", "village", "municipality", "hamlet"]
    /// Longer names are none.
    private static let longestName = 1000
    private static let defaultMetres = 100.0

    /// Nil when it has no place on the Earth or no name.
    init?(_ element: NominatimElement) {
        let address = element.address ?? [:]
        guard
            let position = try? Geo.Coordinate(latitude: element.lat.value, longitude: element.lon.value),
            let name = Self.name(element, address), !name.isEmpty, name.utf8.count <= Self.longestName
        else { return nil }
        let kind = Self.kind(element, address)
        self.init(
            kind: kind, name: name, position: position,
            box: Self.box(element.boundingbox) ?? .around(position, metres: Self.defaultMetres))
        region = kind == .country || kind == .region ? "" : address["state"] ?? address["region"] ?? ""
        countryCode = (address["country_code"] ?? "").uppercased()
        country = address["country"] ?? ""
        town = kind == .address || kind == .other ? Self.townKeys.compactMap { address[$0] }.first ?? "" : ""
        postcode = address["postcode"] ?? ""
        attribution = element.licence ?? ""
    }

    private static func kind(_ element: NominatimElement, _ address: [String: String]) -> Kind {
        let type = element.addresstype ?? element.type ?? ""
        if type == "country" { return .country }
        if regions.contains(type) { return .region }
        if towns.contains(type) { return .town }
        return address["house_number"] != nil ? .address : .other
    }

    private static func name(_ element: NominatimElement, _ address: [String: String]) -> String? {
        if let name = element.name, !name.isEmpty { return name }
        if let number = address["house_number"], let road = roads.compactMap({ address[$0] }).first {
            return "\(road) \(number)"
        }
        return element.displayName?.split(at: ",").first.map(String.init)
    }

    /// South, north, west, east.
    private static func box(_ edges: [LooseNumber]?) -> Geo.Box? {
        guard let edges, edges.count == 4 else { return nil }
        return try? Geo.Box(
            south: edges[0].value, west: edges[2].value, north: edges[1].value, east: edges[3].value)
    }
}
