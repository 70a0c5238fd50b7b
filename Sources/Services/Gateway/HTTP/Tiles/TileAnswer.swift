import Compression
import HTTP
import RPC

/// A tile on its way to a browser.
struct TileAnswer {
    private static let mediaType = "application/vnd.mapbox-vector-tile"
    /// Bytes of a tile that is unpacked for a client that can't.
    private static let maximumUnpacked = 16 << 20

    /// In gzip; empty where the map has nothing.
    let tile: [UInt8]
    /// The edition of the map.
    let version: String
    /// Names the tile in its edition.
    let name: String
    /// Whether caches that several people share may keep it.
    var isPublic = false
    /// Whether it is a network's, which has no editions here: a browser shows it for a day without asking.
    var isOfNetwork = false
    /// When it was fetched, in milliseconds since 1970, if its network has not been able to say since whether it has
    /// changed.
    var oldSince: Int64?

    func response(to request: HTTPRequest) -> HTTPResponse {
        let isPacked = request.headers.accepts(gzip: "accept-encoding")
        let tag = "\"\(version)-\(name)\(isPacked ? "-gzip" : "")\""
        let scope = isPublic ? "public" : "private"
        // An edition does not change; without one, the next import may.
        let isNamed = request.query["v"] == version
        let ofNetwork = oldSince == nil ? "max-age=86400" : "max-age=60"
        let life = isOfNetwork ? ofNetwork : isNamed ? "max-age=31536000, immutable" : "no-cache"
        var headers: HTTPFields = [
            ("ETag", tag), ("Cache-Control", "\(scope), \(life)"), ("Vary", "Accept-Encoding"),
        ]
        if let oldSince { headers.add("Waymark-Old-Since", "\(oldSince / 1_000)") }
        if EntityTag.isNamed(tag, by: request.headers["if-none-match"]) { return HTTPResponse(304, headers: headers) }
        guard !tile.isEmpty else { return HTTPResponse(204, headers: headers) }
        headers.add("Content-Type", Self.mediaType)
        if isPacked {
            headers.add("Content-Encoding", "gzip")
            return HTTPResponse(200, headers: headers, body: .bytes(tile))
        }
        guard case .bytes(let bytes) = Gzip.unpack(tile, limit: Self.maximumUnpacked) else {
            return HTTPResponse(500, .dataLoss, "the tile can't be unpacked")
        }
        return HTTPResponse(200, headers: headers, body: .bytes(bytes))
    }
}
