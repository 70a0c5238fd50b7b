import Daemon
import EventLoops
import Files
import RPC

/// The settings of the gateway's HTTP side.
struct HTTPConfig: Sendable {
    /// The value that switches a setting off.
    private static let none = "none"

    let isEnabled: Bool
    /// Whether every client is let in: when that was asked for, or when only this machine reaches the gateway, by
    /// either entrance, and no token was made.
    let isOpen: Bool
    let origins: Origins
    let trustedProxies: [AddressRange]
    /// Requests a second of one client; 0 for no limit.
    let rate: Int
    let tokens: AccessTokens
    /// The folder of the picture cache, and its limit in bytes.
    let cacheFolder: String
    let cacheBytes: Int
    private let tiles: TileSource?
    private let folders: [(path: String, prefix: String)]
    private let libraries: String?

    static let options = [
        Option(
            "--http", "HOST:PORT", variable: "WAYMARK_HTTP", fallback: "127.0.0.1:7780",
            help: "where HTTP is spoken, or none; port 0 is a free one"),
        Option(
            "--public-url", "URL", variable: "WAYMARK_PUBLIC_URL",
            help: "how browsers reach the gateway, when it is not by its own address"),
        Option(
            "--allow-origins", "LIST", variable: "WAYMARK_ALLOW_ORIGINS",
            help: "origins of other web sites that may call, with commas between them"),
        Option(
            "--trusted-proxies", "LIST", variable: "WAYMARK_TRUSTED_PROXIES",
            help: "addresses or networks of proxies whose X-Forwarded-For is believed"),
        Option(
            "--rate", "N", variable: "WAYMARK_RATE", fallback: "500",
            help: "requests a second of one client over HTTP, twice as many at once; 0 for any number"),
        Option(
            "--token-file", "PATH", variable: "WAYMARK_TOKEN_FILE", access: .readsFile,
            help: "a file with tokens, one a line; a request with one of them acts as the profile \"local\""),
        Option(
            "--cache-bytes", "BYTES", variable: "WAYMARK_CACHE_BYTES", fallback: "\(1 << 30)",
            help: "how many bytes of pictures are kept in the data folder"),
        Option(
            "--web", "DIR", variable: "WAYMARK_WEB", access: .readsFolder,
            help: "the web app, or none; default: the one next to the program"),
        Option(
            "--map", "DIR", variable: "WAYMARK_MAP", access: .readsFolder,
            help: "the data of the map that needs no network, or none; default: the one next to the program"),
        Option(
            "--libraries", "DIR", variable: "WAYMARK_LIBRARIES", fallback: "/usr/share/javascript",
            access: .readsFolder,
            help: "where the system keeps leaflet"),
        Option(
            "--tiles", "URL", variable: "WAYMARK_TILES",
            help: "a server of raster tiles for the map, with {z}, {x} and {y}"),
        Option(
            "--tiles-attribution", "TEXT", variable: "WAYMARK_TILES_ATTRIBUTION",
            help: "what has to be shown with the tiles"),
    ]

    /// - Parameter isLocal: whether the RPC is open by default.
    init(_ options: Options, isLocal: Bool) throws {
        isEnabled = options["--http"] != Self.none
        tokens = try options["--token-file"].map { try AccessTokens(file: $0) } ?? .none
        let host = options["--http"].flatMap { Endpoint($0) }?.host
        let isWebLocal = !isEnabled || host.map(Config.isLoopback) ?? true
        isOpen = options.isSet("--open") || isLocal && isWebLocal && tokens.isEmpty
        origins = try Self.origins(options, isOpen: isOpen)
        trustedProxies = try Self.list(options["--trusted-proxies"]).map { text throws(OptionError) in
            if let range = AddressRange(text) { return range }
            throw OptionError("--trusted-proxies has \(text); an address or a network such as 10.0.0.0/8 is needed")
        }
        rate = try options.integer("--rate", in: 0...1_000_000)
        cacheFolder = "\(try options.required("--data"))/pictures"
        cacheBytes = try options.integer("--cache-bytes", in: 0...(1 << 50))
        tiles = try Self.tiles(options)
        folders = [
            Self.folder(options["--web"], installed: "web", package: "Web", marker: "index.html").map { ($0, "/") },
            Self.folder(options["--map"], installed: "map", package: "Data/map", marker: "index.json").map {
                ($0, "/map/")
            },
        ].compactMap(\.self)
        libraries = options["--libraries"]
    }

    /// Reads the web app, and makes the description of the `methods`. Blocks.
    func pages(_ methods: [MethodDescriptor]) throws -> Pages {
        var files = StaticFiles()
        for folder in folders { try files.add(folder.path, under: folder.prefix) }
        if !folders.isEmpty, let libraries {
            try files.add("\(libraries)/leaflet", under: "/libraries/leaflet/") { name in
                name.hasSuffix(".min.js") || name.hasSuffix(".css") || name.hasPrefix("images/")
            }
        }
        let settings = WebSettings(version: ServiceProgram.version, needsToken: !isOpen, tiles: tiles)
        files.add(StaticFiles.File(json: settings), at: "/settings.json")
        files.add(StaticFiles.File(json: OpenAPI(methods).document), at: "/openapi.json")
        return Pages(files, tiles: tiles, isSecure: origins.publicURL?.isSecure ?? false)
    }

    private static func origins(_ options: Options, isOpen: Bool) throws(OptionError) -> Origins {
        let publicURL = options["--public-url"].map { WebOrigin($0) }
        if case .some(.none) = publicURL {
            throw OptionError("--public-url is \(options["--public-url"] ?? ""), http://… or https://… is needed")
        }
        var allowed: Set<String> = []
        for text in list(options["--allow-origins"]) {
            guard let origin = WebOrigin(text), origin.text == text.lowercased() else {
                throw OptionError("--allow-origins has \(text); an origin such as https://map.example.org is needed")
            }
            allowed.insert(origin.text)
        }
        return Origins(publicURL: publicURL ?? nil, allowed: allowed, isOpen: isOpen)
    }

    private static func tiles(_ options: Options) throws(OptionError) -> TileSource? {
        guard let url = options["--tiles"] else { return nil }
        // The page's policy contains their origin: nothing in it may end the name.
        let isPlain = url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !";,'\"\\".utf8.contains($0) }
        guard isPlain, WebOrigin(url) != nil, ["{z}", "{x}", "{y}"].allSatisfy({ url.contains($0) }) else {
            throw OptionError("--tiles is \(url); an http or https URL with {z}, {x} and {y} is needed")
        }
        guard let attribution = options["--tiles-attribution"] else {
            throw OptionError("--tiles needs --tiles-attribution: what their server wants to be shown")
        }
        return TileSource(url: url, attribution: attribution)
    }

    private static func folder(_ given: String?, installed: String, package: String, marker: String) -> String? {
        if let given { return given == none ? nil : given }
        let candidates = InstalledFolder.candidates(installed: installed, package: package)
        return candidates.first { SmallFile.exists("\($0)/\(marker)") }
    }

    private static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
    }
}
