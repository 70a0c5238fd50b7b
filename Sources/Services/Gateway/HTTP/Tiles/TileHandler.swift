import Bytes
import Contracts
import HTTP
import Networks
import RPC
import Refusals
import Wire

/// Serves tiles of datasets' maps, and of networks': `GET /tiles/<dataset>/<zoom>/<x>/<y>`, with the edition of the map
/// in the query as `v`, and with `ahead` when no one looks at it yet. It is the same call as GetTile, with the same
/// rights: the caller's cookie says who asks.
struct TileHandler: Sendable {
    private let server: Server

    init(_ server: Server) { self.server = server }

    func respond(to request: HTTPRequest, _ path: Substring, _ caller: Caller) async throws -> HTTPResponse {
        guard var asked = try Self.question(path, edition: request.query["v"] ?? "") else {
            return HTTPResponse(404, .notFound, "a tile is /tiles/<dataset>/<zoom>/<x>/<y>")
        }
        asked.inAdvance = request.query["ahead"] != nil
        let question = asked
        let context = try caller.context(PlacesServiceMethods.getTile)
        let answer = SingleAnswer()
        try await server.answer(context, to: answer) { question.packedBytes() }
        let tile = try GetTileResponse(answer: answer.bytes)
        return TileAnswer(
            tile: tile.tile, version: tile.version, name: "\(asked.zoom)-\(asked.x)-\(asked.y)",
            isOfNetwork: Network.named(asked.dataset)?.maps != nil,
            oldSince: tile.fetchedTime?.unixMilliseconds
        ).response(to: request)
    }

    /// The request, of which the service checks the ranges; nil for a path that is none of a tile.
    private static func question(_ path: Substring, edition: String) throws(Refusal) -> GetTileRequest? {
        let parts = path.split(at: "/", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        return GetTileRequest(
            dataset: String(parts[0]), zoom: try number("zoom", parts[1]), x: try number("x", parts[2]),
            y: try number("y", parts[3]), version: edition)
    }

    private static func number(_ field: String, _ text: Substring) throws(Refusal) -> UInt32 {
        guard let number = UInt32(text) else { throw Refusal(field, text: String(text), allowed: "a number is") }
        return number
    }
}
