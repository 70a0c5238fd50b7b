import Bytes
import LiveNetworks
import VectorTiles

/// What a server says of its tiles, as TileJSON has it: where they are, and of which part of the world there are some.
struct TileDescription: Sendable, Equatable {
    /// With {z}, {x} and {y}. Servers whose editions have paths of their own say another one for each.
    let template: String
    /// What has to be shown with them; empty when it does not say.
    let attribution: String
    let zooms: ClosedRange<Int>
    let box: WorldBox

    private struct Read: Decodable {
        let tiles: LossyList<String>
        let minzoom: LooseNumber?
        let maxzoom: LooseNumber?
        let bounds: LooseValue<[Double]>?
        let scheme: LooseValue<String>?
    }

    /// The longest address, and the longest text that is shown with the map.
    private static let longest = 2_000
    private static let longestAttribution = 300
    /// All that a TileJSON without a word about it means.
    private static let usualZooms = 0...TileID.lastZoom

    init(json: [UInt8], _ config: StreetConfig) throws(AskFailure) {
        guard let read = Read(json: json) else { throw AskFailure(.malformed, "its answer is no TileJSON") }
        if let scheme = read.scheme?.value, !scheme.isSame(as: "xyz") {
            throw AskFailure(.malformed, "it counts its tiles in another way than from the north")
        }
        let usable = read.tiles.elements.filter(Self.isTemplate)
        guard !usable.isEmpty else { throw AskFailure(.malformed, "its TileJSON names no address of tiles") }
        guard let template = usable.first(where: config.mayFetch) else {
            throw AskFailure(.malformed, "its tiles are on another host; --streetmap-tiles says which may be asked")
        }
        guard let zooms = Self.zooms(read.minzoom?.value ?? 0, read.maxzoom?.value ?? Double(TileID.lastZoom)) else {
            throw AskFailure(.malformed, "its TileJSON names zoom levels that there are not")
        }
        self.template = template
        self.zooms = zooms
        box = Self.box(read.bounds?.value)
        attribution = Self.line(PMTilesMetadata.attribution(json))
    }

    /// Tells its edition from others: tiles of another one are asked for again.
    var edition: String {
        var hash = StableHash()
        hash.add(template.utf8)
        return String(hash.value, radix: 36)
    }

    /// Whether it can have such a tile.
    func has(_ tile: TileID) -> Bool { zooms.contains(tile.zoom) && box.meets(tile.box) }

    func url(of tile: TileID) -> String {
        template.replacing(each: "{z}", with: "\(tile.zoom)").replacing(each: "{x}", with: "\(tile.x)")
            .replacing(each: "{y}", with: "\(tile.y)")
    }

    /// A text of anyone's as one line, without what is not seen.
    private static func line(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(longestAttribution) {
            if scalar.isWhitespace {
                line.append(" ")
            } else if scalar.value >= 0x20, !scalar.properties.isDefaultIgnorableCodePoint {
                line.append(scalar)
            }
        }
        return String(String(line).trimmed)
    }

    private static func isTemplate(_ text: String) -> Bool {
        text.utf8.count <= longest && text.utf8.allSatisfy { (0x21..<0x7f).contains($0) }
            && ["{z}", "{x}", "{y}"].allSatisfy { text.holds($0) }
    }

    private static func zooms(_ low: Double, _ high: Double) -> ClosedRange<Int>? {
        guard let low = Int(exactly: low), let high = Int(exactly: high), low <= high, low >= usualZooms.lowerBound,
            low <= usualZooms.upperBound
        else { return nil }
        return low...min(high, usualZooms.upperBound)
    }

    /// All the world where it does not say, or not in a way that can be.
    private static func box(_ degrees: [Double]?) -> WorldBox {
        let world = TileID.world.box
        guard let degrees, degrees.count == 4, degrees.allSatisfy(\.isFinite), degrees[0] < degrees[2],
            degrees[1] < degrees[3]
        else { return world }
        let low = WorldPoint(latitude: degrees[1], longitude: degrees[0])
        let high = WorldPoint(latitude: degrees[3], longitude: degrees[2])
        return WorldBox(west: low.x, north: high.y, east: high.x, south: low.y)
    }
}
