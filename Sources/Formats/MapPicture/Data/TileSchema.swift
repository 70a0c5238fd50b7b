import Bytes
import FoundationEssentials
import VectorTiles

/// What things are called in vector tiles of others, in the words of ours: `schema.json` of the map's data, by which
/// the web reads them as well (Web/modules/paint/tileschema.js). Three schemas are common: OpenMapTiles, Protomaps and
/// Shortbread; their layers have names that hardly meet.
struct TileSchema: Decodable, Sendable {
    /// A thing in our words.
    struct Own: Equatable {
        let layer: String
        var kind = ""
        /// Whether only its name is wanted: the thing itself is in another layer.
        var isName = false
    }

    private let parks: [String: String]
    private let streets: [String: String]
    private let rails: [String: String]
    private let marks: [String: String]
    private let places: [String: String]
    private let waterways: Set<String>
    private let airfields: Set<String>
    private let driven: Set<String>
    private let markKeys: [String]

    init(_ bytes: [UInt8]) throws(MapProblem) {
        do {
            self = try JSONDecoder().decode(TileSchema.self, from: Data(bytes))
        } catch {
            throw .unreadable("schema.json is no table of words")
        }
    }

    /// Nil for what is not drawn.
    func own(_ item: TileContent.Item) -> Own? {
        let (kind, detail) = (item.text("kind"), item.text("class"))
        switch item.layer {
        // Areas and lines of water share a layer in Protomaps' tiles.
        case "water": return waterways.contains(kind) ? waterway(kind) : Own(layer: "water")
        case "ocean": return Own(layer: "water")
        case "water_polygons": return kind.isSame(as: "glacier") ? park(kind) : Own(layer: "water")
        case "waterway": return waterway(detail)
        case "water_lines": return waterway(kind)
        case "landcover": return park(item.text("subclass")) ?? park(first(detail, kind))
        case "landuse": return park(first(detail, kind))
        case "park": return park("park")
        case "land", "sites": return park(kind)
        case "street_polygons": return Own(layer: "squares")
        case "building": return Own(layer: "buildings")
        case "buildings": return kind.isSame(as: "address") ? Own(layer: "numbers") : Own(layer: "buildings")
        case "housenumber", "addresses": return Own(layer: "numbers")
        case "boundary": return item.has("maritime") ? nil : border(item.number("admin_level") ?? 0)
        case "boundaries": return item.has("maritime") ? nil : border(item)
        case "place", "place_labels": return place(first(detail, kind))
        case "places": return place(item.text("kind_detail")) ?? place(kind)
        default: return way(item) ?? mark(item)
        }
    }

    /// What more is known of a thing that is drawn so.
    func facts(_ item: TileContent.Item, _ own: Own) -> MapShape.Facts {
        var facts = MapShape.Facts()
        facts.number = item.text("ref")
        facts.height = item.number("ele")
        let tunnel = item.has("tunnel") || item.has("is_tunnel") || item.text("brunnel").isSame(as: "tunnel")
        let bridge = item.has("bridge") || item.has("is_bridge") || item.text("brunnel").isSame(as: "bridge")
        facts.way = tunnel ? .tunnel : bridge ? .bridge : .ground
        // OpenMapTiles ranks its places, 1 the first, and says nothing of how many live there.
        facts.population = item.number("population") ?? item.number("rank").map { 1e7 / max(1, $0) } ?? 0
        facts.isOneWay = driven.contains(own.kind) && (isReverse(item) || isOneWay(item))
        return facts
    }

    /// Whether one drives against its direction only.
    func isReverse(_ item: TileContent.Item) -> Bool { item.number("oneway") == -1 || item.has("oneway_reverse") }

    private func isOneWay(_ item: TileContent.Item) -> Bool {
        item.number("oneway") == 1 || item.text("oneway").isSame(as: "yes")
    }
}

extension TileSchema {
    private func way(_ item: TileContent.Item) -> Own? {
        let (kind, detail) = (item.text("kind"), item.text("class"))
        switch item.layer {
        case "transportation": return way(detail, item.text("subclass"))
        case "transportation_name": return way(detail, item.text("subclass")).map(named)
        case "aeroway": return way(detail, "") ?? park(detail)
        case "roads": return way(kind, item.text("kind_detail"))
        case "streets": return way(kind, "")
        case "street_labels": return way(kind, "").map(named)
        case "ferries": return way("ferry", "")
        default: return nil
        }
    }

    private func way(_ kind: String, _ detail: String) -> Own? {
        if let rail = rails[detail] ?? rails[kind] { return Own(layer: "rails", kind: rail) }
        if airfields.contains(kind) { return Own(layer: "streets", kind: kind) }
        return (streets[Self.bare(detail)] ?? streets[Self.bare(kind)]).map { Own(layer: "streets", kind: $0) }
    }

    /// Ramps are drawn as the roads that they lead to.
    private static func bare(_ kind: String) -> String {
        kind.utf8.suffix(5).elementsEqual("_link".utf8) ? String(decoding: kind.utf8.dropLast(5), as: UTF8.self) : kind
    }

    private func named(_ own: Own) -> Own { Own(layer: own.layer, kind: own.kind, isName: true) }

    private func mark(_ item: TileContent.Item) -> Own? {
        let kind = item.text("kind")
        switch item.layer {
        case "poi": return mark([item.text("subclass"), item.text("class")])
        case "pois": return mark([kind] + markKeys.map(item.text)) ?? (item.has("shop") ? mark(["shop"]) : nil)
        case "public_transport": return mark([kind])
        case "mountain_peak": return mark([item.text("class")])
        case "aerodrome_label": return mark(["aerodrome"])
        default: return nil
        }
    }

    private func mark(_ kinds: [String]) -> Own? {
        kinds.lazy.compactMap { marks[$0] }.first.map { Own(layer: "marks", kind: $0) }
    }

    private func park(_ kind: String) -> Own? { parks[kind].map { Own(layer: "parks", kind: $0) } }

    private func place(_ kind: String) -> Own? { places[kind].map { Own(layer: "places", kind: $0) } }

    private func waterway(_ kind: String) -> Own {
        Own(layer: "waterways", kind: waterways.contains(kind) ? kind : "stream")
    }

    private func border(_ item: TileContent.Item) -> Own? {
        if let level = item.number("admin_level") { return border(level) }
        let kind = item.text("kind")
        return border(kind.isSame(as: "country") ? 2 : kind.isSame(as: "region") ? 4 : 0)
    }

    private func border(_ level: Double) -> Own? {
        level == 2 ? Own(layer: "borders", kind: "country") : level == 4 ? Own(layer: "borders", kind: "region") : nil
    }

    private func first(_ one: String, _ other: String) -> String { one.isEmpty ? other : one }
}
