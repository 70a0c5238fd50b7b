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

    private let content: Content

    /// - Parameter attribution: what has to be shown with the map.
    package init(attribution: String, layers: TileRules) {
        content = Content(attribution: attribution, vector_layers: layers.layers.map { Layer(id: $0) })
    }

    var json: [UInt8] { (try? JSONEncoder().encode(content)).map { Array($0) } ?? Array("{}".utf8) }
}
