import Compression
import Contracts
import HTTP
import RPC
import Refusals
import Wire

/// Serves tiles of datasets' maps: `GET /tiles/<dataset>/<zoom>/<x>/<y>`, with the edition of the map in the query as
/// `v`. It is the same call as GetTile, with the same rights: the caller's cookie says who asks.
struct TileHandler: Sendable {
    static let prefix = "/tiles/"
    private static let mediaType = "application/vnd.mapbox-vector-tile"
    /// Bytes of a tile that is unpacked for a client that can't.
    private static let mostUnpacked = 16 << 20
    private let server: Server

    init(_ server: Server) { self.server = server }

    func respond(to request: HTTPRequest, _ path: Substring, _ caller: Caller) async -> HTTPResponse {
        guard request.method == "GET" || request.method == "HEAD" else {
            return .methodNotAllowed(request, "GET, HEAD")
        }
        do {
            guard let asked = try Self.question(path) else {
                return HTTPResponse(404, .notFound, "a tile is /tiles/<dataset>/<zoom>/<x>/<y>")
            }
            let context = try caller.context(PlacesServiceMethods.getTile, timeout: .none)
            let answer = SingleAnswer()
            try await server.answer(context, to: answer) { asked.packedBytes() }
            return response(to: request, asked, try GetTileResponse(answer: answer.bytes))
        } catch {
            return HTTPResponse(RPCError(anyError: error).naming(caller.requestID))
        }
    }

    private func response(to request: HTTPRequest, _ asked: GetTileRequest, _ answer: GetTileResponse) -> HTTPResponse {
        let isPacked = request.headers.accepts(gzip: "accept-encoding")
        let tag = "\"\(answer.version)-\(asked.zoom)-\(asked.x)-\(asked.y)\(isPacked ? "-gzip" : "")\""
        // An edition does not change; without one, the next import may.
        let isNamed = request.query["v"] == answer.version
        var headers: HTTPFields = [
            ("ETag", tag), ("Cache-Control", isNamed ? "private, max-age=31536000, immutable" : "private, no-cache"),
            ("Vary", "Accept-Encoding"),
        ]
        if EntityTag.isNamed(tag, by: request.headers["if-none-match"]) { return HTTPResponse(304, headers: headers) }
        guard !answer.tile.isEmpty else { return HTTPResponse(204, headers: headers) }
        headers.add("Content-Type", Self.mediaType)
        if isPacked {
            headers.add("Content-Encoding", "gzip")
            return HTTPResponse(200, headers: headers, body: .bytes(answer.tile))
        }
        guard case .bytes(let bytes) = Gzip.unpack(answer.tile, limit: Self.mostUnpacked) else {
            return HTTPResponse(500, .dataLoss, "the tile can't be unpacked")
        }
        return HTTPResponse(200, headers: headers, body: .bytes(bytes))
    }

    /// The request, of which the service checks the ranges; nil for a path that is none of a tile.
    private static func question(_ path: Substring) throws(Refusal) -> GetTileRequest? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        return GetTileRequest(
            dataset: String(parts[0]), zoom: try number("zoom", parts[1]), x: try number("x", parts[2]),
            y: try number("y", parts[3]))
    }

    private static func number(_ field: String, _ text: Substring) throws(Refusal) -> UInt32 {
        guard let number = UInt32(text) else { throw Refusal(field, text: String(text), allowed: "a number is") }
        return number
    }
}
