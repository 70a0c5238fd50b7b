import Bytes
import FoundationEssentials

/// What an archive says of itself, for other programs.
package struct PMTilesMetadata: Sendable {
    private struct Layer: Encodable {
        let id: String
        var fields: [String: String] = [:]
    }

    private struct Content: Encodable {
        let attribution: String
        let vector_layers: [Layer]
    }

    private struct Read: Decodable {
        let attribution: String?
    }

    private let content: Content

    /// - Parameter attribution: what has to be shown with the map.
    package init(attribution: String, layers: TileRules) {
        content = Content(attribution: attribution, vector_layers: layers.layers.map { Layer(id: $0) })
    }

    /// The attribution in anyone's metadata or TileJSON. Others have markup in it, of which the text is taken.
    package static func attribution(_ json: [UInt8]) -> String {
        let text = (try? JSONDecoder().decode(Read.self, from: Data(json)))?.attribution ?? ""
        var (plain, depth) = ("", 0)
        for scalar in text.unicodeScalars.prefix(longestAttribution) {
            switch scalar {
            case "<": depth += 1
            case ">" where depth > 0: depth -= 1
            default: if depth == 0 { plain.unicodeScalars.append(scalar) }
            }
        }
        return plain.replacing(each: "&copy;", with: "©").replacing(each: "&amp;", with: "&")
    }

    private static let longestAttribution = 2000

    /// The same bytes for the same content.
    var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(content)).map { Array($0) } ?? Array("{}".utf8)
    }
}
