import Bytes
import HTTP
import Networks

/// The web app: its files, and its settings from the gateway.
struct Pages: Sendable {
    private let files: StaticFiles
    private let policy: String
    private let isSecure: Bool

    /// What a page may load: only what comes from here, and the tiles that were configured.
    ///
    /// - Parameter isSecure: whether the pages are reached over TLS.
    init(_ files: StaticFiles, tiles: TileSource?, isSecure: Bool) {
        self.files = files
        self.isSecure = isSecure
        let images = ["'self'", "data:", "blob:"] + (tiles.map { [$0.origin] } ?? [])
        policy = [
            "default-src 'self'", "img-src \(images.joined(separator: " "))", "object-src 'none'", "base-uri 'none'",
            "form-action 'self'", "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }

    /// All files, at their paths.
    var routes: [Route] {
        files.all.flatMap { path, file in
            (path == "/index.html" ? [path, "/"] : [path]).map { path in
                Route(.at(path), Route.reading) { request, _, _ in response(to: request, file) }
            }
        }
    }

    private func response(to request: HTTPRequest, _ file: StaticFiles.File) -> HTTPResponse {
        var response = file.response(to: request)
        response.headers.add("Content-Security-Policy", policy)
        // What frame-ancestors says, for browsers that don't know it.
        response.headers.add("X-Frame-Options", "DENY")
        // A tile server may need to know which page shows them; OpenStreetMap's refuses requests without a referrer.
        response.headers.add("Referrer-Policy", "strict-origin-when-cross-origin")
        // Browsers ignore it without TLS, and complain.
        if isSecure { response.headers.add("Cross-Origin-Opener-Policy", "same-origin") }
        return response
    }
}

/// A server of raster tiles that the operator chose.
struct TileSource: Sendable, Encodable {
    /// With {z}, {x} and {y}: "https://tiles.example.org/{z}/{x}/{y}.png".
    let url: String
    /// The attribution that has to be shown with them.
    let attribution: String

    /// The origin that the page's policy allows.
    var origin: String {
        let name = url.split(at: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
        return name.replacing(each: "{s}", with: "*")
    }
}

/// What the web app requests first.
struct WebSettings: Encodable {
    let version: String
    let needsToken: Bool
    let tiles: TileSource?
    let basemap: BasemapSettings?
    /// What people call each network, by its name.
    let networks = Dictionary(uniqueKeysWithValues: Network.all.map { ($0.name, $0.label) })
}
