import Bytes
import Crypto
import Daemon
import EventLoops
import HTTP
import RPC
import VectorTiles

/// A PMTiles archive for everyone who gets the pages: `GET <prefix><zoom>/<x>/<y>`, with its edition in the query as
/// `v`. The operator's is `/basemap/`, those of the bundled map are `/map/<name>/`.
struct TileArchive: Sendable {
    private let prefix: String
    /// What the web app learns of the operator's; of the bundled ones it learns the same from /map/index.json.
    let settings: BasemapSettings
    private let file: PMTilesFile
    private let blocking: BlockingPool

    /// Blocks.
    init(path: String, at prefix: String, blocking: BlockingPool) throws(PMTilesError) {
        self.prefix = prefix
        file = try PMTilesFile(path: path)
        self.blocking = blocking
        let header = file.header
        settings = BasemapSettings(
            version: Base64URL.encode(Array(SHA256.digest(file.identity).prefix(9))),
            attribution: try file.attribution(), box: header.box.map { Double($0) / 1e7 },
            minimumZoom: Int(header.minimumZoom), maximumZoom: Int(header.maximumZoom),
            hasDetails: try file.hasDetails())
    }

    var route: Route {
        Route(.below(prefix), Route.reading) { [self] request, path, _ in await respond(to: request, path) }
    }

    private func respond(to request: HTTPRequest, _ path: Substring) async -> HTTPResponse {
        let parts = path.split(at: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let zoom = parts[0], let x = parts[1], let y = parts[2],
            let tile = TileID(zoom: zoom, x: x, y: y)
        else { return HTTPResponse(404, .notFound, "a tile is \(prefix)<zoom>/<x>/<y>") }
        do {
            let bytes = try await blocking.run { [file] in try file.tile(tile) }
            return TileAnswer(
                tile: bytes ?? [], version: settings.version, name: "\(zoom)-\(x)-\(y)", isPublic: true
            ).response(to: request)
        } catch let problem as PMTilesError {
            return HTTPResponse(500, .dataLoss, "the map is damaged: \(problem.reason)")
        } catch {
            return HTTPResponse(503, .unavailable, "too many tiles are waiting to be read")
        }
    }
}

/// What the web app learns of the base map.
struct BasemapSettings: Sendable, Encodable {
    /// Names its edition.
    let version: String
    /// What has to be shown with it.
    let attribution: String
    /// West, south, east, north, in degrees.
    let box: [Double]
    let minimumZoom: Int
    let maximumZoom: Int
    /// Whether the level after that has what only a close look needs.
    let hasDetails: Bool
}
