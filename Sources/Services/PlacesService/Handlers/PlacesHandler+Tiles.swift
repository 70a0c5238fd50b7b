import PlaceContracts
import Daemon
import LiveNetworks
import Networks
import RPC
import Refusals
import VectorTiles
import Wire

extension PlacesHandler {
    func getTile(_ request: GetTileRequest, _ context: CallContext) async throws -> GetTileResponse {
        let name = try DatasetName(request.dataset, "dataset")
        let zoom = Int(request.zoom)
        let most = UInt32(1) << UInt32(zoom) - 1
        // Each number is allowed, but not beside this zoom.
        guard request.x <= most, request.y <= most else {
            throw RPCError(.notFound, "there is no tile \(request.x)/\(request.y) at zoom \(zoom)")
        }
        guard let tile = TileID(zoom: zoom, x: Int(request.x), y: Int(request.y)) else {
            throw Refusal("zoom", zoom, allowed: "0 to \(TileID.lastZoom) are")
        }
        if Network.named(request.dataset)?.maps != nil { return try await streets(tile, request, context) }
        guard let dataset = catalog.view.dataset(name) else { throw PlacesError.noDataset(name) }
        guard let tiles = dataset.tiles else { throw PlacesError.noMap(name) }
        let bytes = try await runBlocking { () throws -> [UInt8]? in
            do throws(PMTilesError) { return try tiles.tile(tile) } catch { throw PlacesError(error) }
        }
        return GetTileResponse(tile: bytes ?? [], version: dataset.facts.tilesVersion)
    }

    /// The same of the map of streets. A key may be limited to some networks.
    private func streets(
        _ tile: TileID, _ request: GetTileRequest, _ context: CallContext
    ) async throws -> GetTileResponse {
        let name = StreetConfig.network.name
        guard let streets = discovery.streets else { throw RPCError(.notFound, "there is no map of streets here") }
        if let limit = context.identity?.credential.networks, !limit.contains(name) {
            throw RPCError(.permissionDenied, "dataset: this key may not have \(name) asked")
        }
        let patience = context.remaining.map(Self.wait) ?? Self.patience
        let found = try await streets.tile(
            tile, for: NetworkAsker(account: context.owner), within: patience, isInAdvance: request.inAdvance)
        return GetTileResponse(
            tile: found.tile.packed, version: found.tile.version,
            fetchedTime: found.oldSince.map { TimestampMessage(unixMilliseconds: $0) })
    }
}

extension DatasetFacts {
    /// Names the edition of the map: another import has another one.
    fileprivate var tilesVersion: String { String(importedUnixMilliseconds, radix: 36) }
}

extension DatasetTiles {
    init(_ tiles: TileFacts, of facts: DatasetFacts) {
        let degrees = tiles.box.map { Double($0) / 1e7 }
        self.init(
            box: degrees.count == 4
                ? BaseContracts.Box(
                    southWest: BaseContracts.Coordinate(latitude: degrees[1], longitude: degrees[0]),
                    northEast: BaseContracts.Coordinate(latitude: degrees[3], longitude: degrees[2])) : nil,
            minimumZoom: UInt32(clamping: tiles.minimumZoom), maximumZoom: UInt32(clamping: tiles.maximumZoom),
            tileCount: tiles.tileCount, byteCount: tiles.byteCount, version: facts.tilesVersion)
    }
}

extension TileFacts {
    /// What is known of a map that was just made.
    init(_ summary: PMTilesSummary) {
        let header = summary.header
        self.init(
            box: header.box, minimumZoom: Int(header.minimumZoom), maximumZoom: Int(header.maximumZoom),
            tileCount: header.tileCount, byteCount: UInt64(summary.byteCount))
    }
}
