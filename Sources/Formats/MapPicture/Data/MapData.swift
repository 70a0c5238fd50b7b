import Files
import Synchronization
import VectorTiles

/// The bundled map's data in a folder. Names are read when the first picture needs them, and kept; of archives each
/// picture reads the tiles that it shows.
package final class MapData: Sendable {
    private static let maximumFileBytes = 8 << 20
    /// The set of the whole world's lines.
    private static let world = "world"

    private let folder: String
    private let townFile: String?
    private let state = Mutex(State())
    private let readWorld = ReadTiles<[MapShape]>(limit: 8 << 20)
    /// Of maps with streets, also of those that callers give.
    let readStreets = ReadTiles<TileMap.Tile>(limit: 24 << 20)

    private struct State {
        var archives: [String: PMTilesFile] = [:]
        var index: MapIndex?
        var styles: MapStyles?
        var schema: TileSchema?
        var labels: [String: [MapLabel]] = [:]
        var towns: TownTable?
    }

    /// - Parameters:
    ///   - folder: as Data/map.
    ///   - towns: the table of all towns, towns.tsv.gz; without it there are names of the large ones alone.
    package init(folder: String, towns: String?) {
        self.folder = folder
        townFile = towns
    }

    /// The world's land, lakes, coasts and borders that a picture shows.
    func world(_ view: MapView) throws(MapProblem) -> [MapShape] {
        guard let set = try set(Self.world).flatMap(MapTileSet.init) else { return [] }
        return try tiles(set, view.worldTiles(zooms: set.zooms)).flatMap { id, bytes in
            readWorld.read(bytes, at: id, of: Self.world) { $0.items.flatMap(MapShape.world) }?.value ?? []
        }
    }

    /// The tiles of bundled maps that a picture shows.
    func tiles(of view: MapView) throws(MapProblem) -> [MapTiles] {
        var found: [MapTiles] = []
        for set in try index().sets.compactMap(MapTileSet.init) where set.dataset != Self.world {
            let wanted = view.tiles(of: set)
            guard !wanted.isEmpty else { continue }
            found.append(MapTiles(set, try tiles(set, wanted), details: try tiles(set, view.details(of: set))))
        }
        return found
    }

    /// Whether a bundled map has something in a view. Blocks.
    package func hasStreets(in view: MapView) throws(MapProblem) -> Bool {
        try tiles(of: view).contains { !$0.tiles.isEmpty }
    }

    /// How streets and areas are drawn.
    func styles() throws(MapProblem) -> MapStyles {
        if let styles = state.withLock({ $0.styles }) { return styles }
        let styles = try MapStyles(read("styles.json"))
        state.withLock { $0.styles = styles }
        return styles
    }

    /// What things are called in tiles of others.
    func schema() throws(MapProblem) -> TileSchema {
        if let schema = state.withLock({ $0.schema }) { return schema }
        let schema = try TileSchema(read("schema.json"))
        state.withLock { $0.schema = schema }
        return schema
    }

    func countries() throws(MapProblem) -> [MapLabel] { try labels("countries") }

    /// The largest towns of the world, spread over the map.
    func largeTowns() throws(MapProblem) -> [MapLabel] { try labels("towns") }

    /// Towns in a box, those with most people first.
    func towns(in box: MapBox, limit: Int) throws(MapProblem) -> [MapLabel] {
        guard let townFile else { return try largeTowns().filter { box.contains($0.point) } }
        if let towns = state.withLock({ $0.towns }) { return towns.largest(in: box, limit: limit) }
        let towns = try TownTable(file: townFile)
        state.withLock { $0.towns = towns }
        return towns.largest(in: box, limit: limit)
    }

    /// What has to be shown with the world's data.
    func attribution() throws(MapProblem) -> String { try set(Self.world)?.attribution ?? "" }
}

extension MapData {
    private func tiles(
        _ set: MapTileSet, _ wanted: [TileID]
    ) throws(MapProblem) -> [(id: TileID, bytes: [UInt8])] {
        do throws(PMTilesError) {
            let file = try archive(set.dataset)
            var tiles: [(id: TileID, bytes: [UInt8])] = []
            for id in wanted { if let bytes = try file.tile(id) { tiles.append((id, bytes)) } }
            return tiles
        } catch {
            throw .unreadable("\(error)")
        }
    }

    /// Opened for the first picture that needs it.
    private func archive(_ name: String) throws(PMTilesError) -> PMTilesFile {
        if let file = state.withLock({ $0.archives[name] }) { return file }
        let file = try PMTilesFile(path: "\(folder)/\(name).pmtiles")
        state.withLock { $0.archives[name] = file }
        return file
    }

    private func index() throws(MapProblem) -> MapIndex {
        if let index = state.withLock({ $0.index }) { return index }
        let index = try MapIndex(read("index.json"))
        state.withLock { $0.index = index }
        return index
    }

    private func set(_ name: String) throws(MapProblem) -> MapIndex.MapSet? {
        try index().sets.first { $0.name == name }
    }

    private func labels(_ name: String) throws(MapProblem) -> [MapLabel] {
        guard let file = try set(Self.world)?.labels?.first(where: { $0.name == name })?.file else { return [] }
        if let labels = state.withLock({ $0.labels[file] }) { return labels }
        let labels = try MapLabel.read(read(file), file)
        state.withLock { $0.labels[file] = labels }
        return labels
    }

    private func read(_ file: String) throws(MapProblem) -> [UInt8] {
        do throws(SmallFile.Problem) {
            return try SmallFile.read("\(folder)/\(file)", limit: Self.maximumFileBytes)
        } catch {
            throw .unreadable("\(error)")
        }
    }
}
