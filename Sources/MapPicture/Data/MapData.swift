import Files
import Synchronization
import VectorTiles

/// The bundled map's data in a folder. A file is read when the first picture needs it, and kept: all of them together
/// take some 15 MB.
package final class MapData: Sendable {
    private static let fileLimit = 8 << 20

    private let folder: String
    private let townFile: String?
    private let state = Mutex(State())

    private struct State {
        var index: MapIndex?
        var styles: MapStyles?
        var shapes: [String: [MapShape]] = [:]
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

    /// The shapes of the world's coast, lakes and borders that a view shows, each with where it is cut.
    func world(_ view: MapBox, isFine: Bool) throws(MapProblem) -> [(shape: MapShape, cuts: CutLines)] {
        guard let set = try set("world") else { return [] }
        if isFine, let layer = set.layers?.first(where: { $0.name == "fine" }) { return try cells(layer, view) }
        var found: [(MapShape, CutLines)] = []
        for layer in set.layers ?? [] where ["land", "lakes", "borders"].contains(layer.name) {
            found += try shapes(layer.file, layer.name).map { ($0, .ofWorld) }
        }
        return found
    }

    /// The tiles of bundled maps that a picture shows.
    func tiles(of view: MapView) throws(MapProblem) -> [MapTiles] {
        var found: [MapTiles] = []
        for set in try index().sets.compactMap(MapTileSet.init) {
            let wanted = view.tiles(of: set)
            guard !wanted.isEmpty else { continue }
            do throws(PMTilesError) {
                let file = try PMTilesFile(path: "\(folder)/\(set.dataset).pmtiles")
                var tiles: [(id: TileID, bytes: [UInt8])] = []
                for id in wanted { if let bytes = try file.tile(id) { tiles.append((id, bytes)) } }
                found.append(MapTiles(set, tiles))
            } catch {
                throw .unreadable("\(error)")
            }
        }
        return found
    }

    /// How streets and areas are drawn.
    func styles() throws(MapProblem) -> MapStyles {
        if let styles = state.withLock({ $0.styles }) { return styles }
        let styles = try MapStyles(read("styles.json"))
        state.withLock { $0.styles = styles }
        return styles
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
    func attribution() throws(MapProblem) -> String { try set("world")?.attribution ?? "" }
}

extension MapData {
    private func cells(_ layer: MapIndex.Layer, _ view: MapBox) throws(MapProblem) -> [(MapShape, CutLines)] {
        guard let degrees = layer.degrees, let cells = layer.cells else { return [] }
        var found: [(MapShape, CutLines)] = []
        for cell in cells {
            let corner = cell.split(separator: "_").compactMap { Double($0) }
            guard corner.count == 2 else { throw .unreadable("index.json has a cell \"\(cell)\"") }
            let box = MapBox(west: corner[0], south: corner[1], east: corner[0] + degrees, north: corner[1] + degrees)
            guard box.meets(view) else { continue }
            let cuts = CutLines.ofCell(box)
            found += try shapes(layer.file.replacing("{}", with: cell), layer.name).map { ($0, cuts) }
        }
        return found
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

    private func shapes(_ file: String, _ layer: String) throws(MapProblem) -> [MapShape] {
        if let shapes = state.withLock({ $0.shapes[file] }) { return shapes }
        let shapes = try GeoJSONReader.shapes(read(file), file, layer: layer)
        state.withLock { $0.shapes[file] = shapes }
        return shapes
    }

    private func labels(_ name: String) throws(MapProblem) -> [MapLabel] {
        guard let file = try set("world")?.layers?.first(where: { $0.name == name })?.file else { return [] }
        if let labels = state.withLock({ $0.labels[file] }) { return labels }
        let labels = try MapLabel.read(read(file), file)
        state.withLock { $0.labels[file] = labels }
        return labels
    }

    private func read(_ file: String) throws(MapProblem) -> [UInt8] {
        do throws(SmallFile.Problem) {
            return try SmallFile.read("\(folder)/\(file)", limit: Self.fileLimit)
        } catch {
            throw .unreadable("\(error)")
        }
    }
}
