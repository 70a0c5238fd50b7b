import Bytes
import Geo
import LiveNetworks

/// An answer of Panoramax, as far as it is of use. What cameras wrote is in it too, serial numbers among it, and is not
/// read.
struct PanoramaxAnswer: Decodable {
    struct Feature: Decodable {
        let id: String
        let geometry: Point?
        let providers: LossyList<Provider>?
        let properties: Properties?
        let assets: [String: Asset]?
        let links: LossyList<Link>?
    }

    /// Longitude and latitude.
    struct Point: Decodable { let coordinates: [Double] }
    struct Provider: Decodable { let name: String }
    struct Asset: Decodable { let href: String }

    struct Link: Decodable {
        let rel: String
        let title: String?
    }

    /// What people or programs say of what is on it: "osm|amenity" and "bench".
    struct Meaning: Decodable {
        let key: String
        let value: String
    }

    struct Properties: Decodable {
        let datetime: String?
        /// The same in the zone of where it was taken.
        let local: String?
        let license: String?
        let producer: String?
        let semantics: LooseValue<LossyList<Meaning>>?
        let view: View?
        let azimuth: Double?

        enum CodingKeys: String, CodingKey {
            case datetime, license, semantics
            case azimuth = "view:azimuth"
            case local = "datetimetz"
            case producer = "geovisio:producer"
            case view = "pers:interior_orientation"
        }
    }

    struct View: Decodable {
        let degrees: Double?
        let pixels: [UInt32]?

        enum CodingKeys: String, CodingKey {
            case degrees = "field_of_view"
            case pixels = "sensor_array_dimensions"
        }
    }

    let features: LossyList<Feature>
}

extension PanoramaxAnswer.Feature {
    /// Nil unless it is a flat picture with a place, an author and a free licence, whose bytes may be fetched.
    func photo(page: (String) -> String, mayFetch: (String) -> Bool) -> FoundPhoto? {
        // The id becomes a part of addresses.
        guard PictureNames.isUUID(id), let properties, !isAround, let point = geometry?.coordinates, point.count >= 2,
            let position = try? Coordinate(latitude: point[1], longitude: point[0]),
            let fetch = assets?["sd"]?.href, mayFetch(fetch), fetch.utf8.count <= 2_048,
            let licence = properties.license.flatMap(Self.licence)
        else { return nil }
        // The account of the instance comes first, then the person, if one is named.
        let author = PlainText.line(providers?.elements.last?.name ?? properties.producer ?? "", limit: 200)
        let pixels = properties.view?.pixels ?? []
        return FoundPhoto(
            network: "panoramax", id: id, title: "", position: position,
            credit: Credit(author: author, licence: licence, sourceURL: page(id)), fetchURL: fetch,
            width: pixels.first ?? 0, height: pixels.count > 1 ? pixels[1] : 0,
            takenMilliseconds: TakenTime.ofMoment(properties.datetime),
            takenOffsetMinutes: TakenTime.offset(ofMoment: properties.local),
            view: properties.azimuth.flatMap { CameraView(heading: $0, angle: properties.view?.degrees) },
            tags: properties.tags)
    }

    /// Whether it shows all around, which makes a strange picture of an album: by its angle, or by its shape.
    private var isAround: Bool {
        if let degrees = properties?.view?.degrees, degrees >= 180 { return true }
        guard let pixels = properties?.view?.pixels, pixels.count >= 2 else { return false }
        return Double(pixels[0]) >= 1.95 * Double(pixels[1])
    }

    /// "CC-BY-SA-4.0" is "CC BY-SA 4.0". Anything else than a free licence is none: by itself it is "proprietary".
    private static func licence(_ spdx: String) -> String? {
        switch spdx.lowercased() {
        case "etalab-2.0": return "Licence Ouverte 2.0"
        case "cc0-1.0": return "CC0 1.0"
        case let text where text.begins(with: "cc-by"):
            let parts = spdx.split(at: "-")
            guard (3...5).contains(parts.count), spdx.utf8.count <= 24, let version = parts.last,
                version.unicodeScalars.first?.isDigit == true
            else { return nil }
            return "CC \(parts.dropFirst().dropLast().joined(separator: "-")) \(version)"
        default: return nil
        }
    }
}

extension PanoramaxAnswer.Properties {
    /// "key=value", without what is said of others: "detection_model[osm|amenity=bench]".
    fileprivate var tags: [String] {
        (semantics?.value?.elements ?? []).filter { !$0.key.holds("[") }.map { "\($0.key)=\($0.value)" }
    }
}
