import Contracts
import EventLoops
import MapPicture
import RPC
import VectorTiles

/// Pictures of the map, with the maps of datasets and the streets of a network. Where the places service does not give
/// these, pictures do without.
struct DatasetMaps: Sendable {
    /// Maps that one picture shows, and datasets that are looked at.
    private static let maximum = 4
    private static let maximumDatasets: UInt32 = 1000
    /// A picture waits for its tiles no longer.
    private static let patience: Duration = .seconds(5)

    private let client: PlacesServiceClient
    private let pictures: MapPictures
    private let streets: NetworkStreets

    init(_ backends: Backends, _ pictures: MapPictures) {
        client = PlacesServiceClient(backends.places)
        self.pictures = pictures
        streets = NetworkStreets(backends)
    }

    /// The picture of a view, kept or drawn; the places service is asked with these options.
    /// - Parameter other: what it is of where no map has streets in the view.
    func picture(
        of view: MapView, elseOf other: MapView? = nil, _ options: CallOptions
    ) async throws -> KeptMapPicture {
        var options = options
        let end = MonotonicTime.now + Self.patience
        options.deadline = options.deadline.map { min($0, end) } ?? end
        var (view, sets) = (view, await sets(for: view, options))
        if let other, sets.isEmpty, try await !pictures.hasStreets(view) {
            (view, sets) = (other, await self.sets(for: other, options))
        }
        if let kept = pictures.kept(MapSubject(view: view, sets: sets)) { return kept }
        return try await pictures.picture(of: view, await tiles(of: sets, for: view, options))
    }

    /// The sets that a picture shows a part of.
    private func sets(for view: MapView, _ options: CallOptions) async -> [MapTileSet] {
        async let asked = streets.set(for: view, options)
        let answer = try? await client.listDatasets(ListDatasetsRequest(pageSize: Self.maximumDatasets), options)
        let street = await asked
        guard let answer else { return [street].compactMap(\.self) }
        let sets = answer.datasets.compactMap(MapTileSet.init).filter { !view.tiles(of: $0).isEmpty }
        return Array(sets.prefix(Self.maximum)) + [street].compactMap(\.self)
    }

    /// The tiles of these sets that a picture shows; a set of which one does not come is left out.
    private func tiles(of sets: [MapTileSet], for view: MapView, _ options: CallOptions) async -> [MapTiles] {
        var found: [MapTiles] = []
        for set in sets {
            if set.isForeign {
                found.append(await streets.tiles(of: set, for: view, options))
            } else if let tiles = try? await tiles(of: set, for: view, options) {
                found.append(tiles)
            }
        }
        return found
    }

    private func tiles(of set: MapTileSet, for view: MapView, _ options: CallOptions) async throws -> MapTiles {
        async let details = tiles(view.details(of: set), of: set, options)
        let tiles = try await tiles(view.tiles(of: set), of: set, options)
        // An archive may be without them.
        return MapTiles(set, tiles, details: (try? await details) ?? [])
    }

    private func tiles(
        _ wanted: [TileID], of set: MapTileSet, _ options: CallOptions
    ) async throws -> [(id: TileID, bytes: [UInt8])] {
        let answers = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { [client] group in
            for (index, id) in wanted.enumerated() {
                let request = GetTileRequest(
                    dataset: set.dataset, zoom: UInt32(id.zoom), x: UInt32(id.x), y: UInt32(id.y),
                    version: set.version)
                group.addTask { (index, try await client.getTile(request, options).tile) }
            }
            return try await group.reduce(into: [Int: [UInt8]]()) { $0[$1.0] = $1.1 }
        }
        return wanted.enumerated().compactMap { index, id in
            answers[index].flatMap { $0.isEmpty ? nil : (id: id, bytes: $0) }
        }
    }
}

extension MapTileSet {
    /// Nil for a dataset without a map, or with one that can't be.
    fileprivate init?(_ dataset: Contracts.Dataset) {
        guard let tiles = dataset.tiles, let low = tiles.box?.southWest, let high = tiles.box?.northEast,
            tiles.minimumZoom <= tiles.maximumZoom, Int(tiles.maximumZoom) <= TileID.lastZoom
        else { return nil }
        self.init(
            dataset: dataset.name, version: tiles.version, attribution: dataset.attribution,
            zooms: Int(tiles.minimumZoom)...Int(tiles.maximumZoom),
            southWest: MapPoint(longitude: low.longitude, latitude: low.latitude),
            northEast: MapPoint(longitude: high.longitude, latitude: high.latitude))
    }
}
