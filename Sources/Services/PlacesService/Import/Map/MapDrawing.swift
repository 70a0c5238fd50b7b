import VectorTiles

/// The tiles of a map while they are drawn.
struct MapDrawing: ~Copyable {
    private var writer: TileWriter
    private(set) var isEmpty = true
    /// Why it can't become a map; what follows is not drawn any more.
    private(set) var problem: String?

    /// Features in tiles that each node may bring, and those that a small file may have: a few nodes that lie far apart
    /// make no map of the world.
    private static let recordsOfNode = 50
    private static let fewRecords = 20_000

    /// - Parameters:
    ///   - memory: bytes that its features may take in memory while they come.
    ///   - nodeCount: how many nodes the file has.
    init(_ coverage: TileCoverage, folder: String, memory: Int, nodeCount: Int) throws(TileError) {
        let maximum = min(nodeCount, TileWriter.maximumRecords) * Self.recordsOfNode + Self.fewRecords
        writer = try TileWriter(
            MapLayer.rules, coverage: coverage, folder: folder, memory: memory, maximum: maximum)
    }

    mutating func add(_ shape: TileShape, _ style: MapStyle, _ names: [TileFeature.Property]) throws(PlacesError) {
        try add(shape, on: style.layer, from: style.firstZoom) { style.feature(names: names, zoom: $0) }
    }

    mutating func add(
        _ shape: TileShape, on layer: MapLayer?, from first: Int, feature: (_ zoom: Int) -> TileFeature
    ) throws(PlacesError) {
        guard problem == nil, !shape.isEmpty else { return }
        if layer?.isGround ?? false { isEmpty = false }
        do throws(TileError) {
            try writer.add(shape, from: first, feature: feature)
        } catch .tooMany(let limit) {
            problem = "\(TileError.tooMany(limit: limit)); import a smaller area for one"
        } catch {
            throw PlacesError(error)
        }
    }

    /// Writes the archive.
    /// - Parameter look: called now and then; ends it by throwing.
    consuming func write(
        to path: String, attribution: String, look: () throws(PlacesError) -> Void
    ) throws(PlacesError) -> PMTilesSummary? {
        var stop: PlacesError?
        do throws(TileError) {
            let summary = try writer.write(to: path, metadata: Self.metadata(attribution)) { _ in
                do throws(PlacesError) { try look() } catch { stop = error }
                return stop == nil
            }
            if stop == nil { return summary }
        } catch {
            throw PlacesError(error)
        }
        throw stop ?? .cancelled
    }

    private static func metadata(_ attribution: String) -> PMTilesMetadata {
        PMTilesMetadata(attribution: attribution, layers: MapLayer.rules)
    }
}

extension PlacesError {
    init(_ error: TileError) {
        switch error {
        case .disk(let error): self.init(error, "the map")
        case .tooMany: self = .badFile(reason: "\(error)")
        }
    }

    init(_ error: PMTilesError) {
        switch error {
        case .disk(let error): self.init(error, "the map")
        case .damaged: self = .damaged(what: "\(error)")
        }
    }
}
