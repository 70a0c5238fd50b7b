import Arguments
import Bytes
import Daemon
import EventLoops
import Files
import LoginLinks
import RPC
import TLS
import VectorTiles

/// The settings of the gateway's HTTP side.
struct HTTPConfig: Sendable {
    /// The value that switches a setting off.
    private static let none = "none"
    /// The most bytes of the page of shares.

    let isEnabled: Bool
    /// Whether every client is let in: when that was asked for, or when only this machine reaches the gateway, by
    /// either entrance, and no token was made.
    let isOpen: Bool
    let origins: Origins
    let trustedProxies: [AddressRange]
    /// Requests a second of one client; 0 for no limit.
    let rate: Int
    /// What clients have to speak; nil for plain text.
    let tls: TLSContext?
    let tokens: AccessTokens
    let links: LoginLinks
    /// The service's own.
    let folder: String
    /// The folder of the picture cache, and its limit in bytes.
    let cacheFolder: String
    let cacheBytes: Int
    private let tiles: TileSource?
    private let basemapFile: String?
    private let web: String?
    /// What the bundled map is drawn from; nil for none.
    let map: String?
    /// The table of all towns, for their names on pictures of the map; nil when it is not there.
    let towns: String?
    private let libraries: String?
    /// The page of shares; empty without a web app that has one.

    /// Whether browsers reach it by TLS, here or at a proxy.
    var isSecure: Bool { tls != nil || origins.publicURL?.isSecure ?? false }

    /// - Parameter isLocal: whether only this machine reaches the RPC.
    init(_ options: Options, isLocal: Bool) throws {
        isEnabled = options["--http"] != Self.none
        let pair = try ServiceTLS.pair(options, "--http-tls-certificate", "--http-tls-key")
        tls = try pair.map { try TLSContext(.server, $0, for: .web) }
        tokens = try options["--token-file"].map { try AccessTokens(file: $0) } ?? .none
        let host = options["--http"].flatMap { Endpoint($0) }?.host
        let isWebLocal = !isEnabled || host.map(Endpoint.isLoopback) ?? true
        isOpen = options.isSet("--open") || isLocal && isWebLocal && tokens.isEmpty
        origins = try Self.origins(options, isOpen: isOpen)
        trustedProxies = try Self.list(options["--trusted-proxies"]).map { text throws(OptionError) in
            if let range = AddressRange(text) { return range }
            throw OptionError("--trusted-proxies has \(text); an address or a network such as 10.0.0.0/8 is needed")
        }
        rate = try options.integer("--rate")
        let data = try options.required("--data")
        links = LoginLinks(gatewayData: data)
        cacheFolder = "\(data)/pictures"
        folder = data
        cacheBytes = try options.integer("--cache-bytes")
        tiles = try Self.tiles(options)
        basemapFile = options["--basemap"]
        web = Self.folder(options["--web"], installed: "web", package: "Web", marker: "index.html")
        map = Self.folder(options["--map"], installed: "map", package: "Data/map", marker: "index.json")
        towns = Self.folder(nil, installed: "towns", package: "Data/towns", marker: "towns.tsv.gz")
            .map { "\($0)/towns.tsv.gz" }
        libraries = options["--libraries"]
    }

    /// Opens the operator's base map; nil for none. Blocks.
    func basemap(_ blocking: BlockingPool) throws(OptionError) -> TileArchive? {
        try basemapFile.map { path throws(OptionError) in
            try Self.archive(path, of: "--basemap", at: "/basemap/", blocking)
        }
    }

    /// Opens the archives of the bundled map. Blocks.
    func bundledMaps(_ blocking: BlockingPool) throws(OptionError) -> [TileArchive] {
        let ending = ".pmtiles"
        var files: [String] = []
        do throws(SystemError) {
            files = try map.map { map throws(SystemError) in try SmallFile.names(under: map) } ?? []
        } catch {
            throw OptionError("--map \(map ?? ""): \(error)")
        }
        return try files.filter { $0.ends(with: ending) }.map { file throws(OptionError) in
            try Self.archive(
                "\(map ?? "")/\(file)", of: "--map", at: "/map/\(file.before(ending) ?? "")/", blocking)
        }
    }

    private static func archive(
        _ path: String, of setting: String, at prefix: String, _ blocking: BlockingPool
    ) throws(OptionError) -> TileArchive {
        do throws(PMTilesError) {
            return try TileArchive(path: path, at: prefix, blocking: blocking)
        } catch {
            throw OptionError("\(setting) can't be shown: \(error)")
        }
    }

    /// The page of a share; nil without a web app. Blocks.
    func sharedTemplate() throws -> SharedTemplate? { try web.flatMap { try SharedTemplate(web: $0) } }

    /// Reads the web app, and makes the description of the `methods`. Blocks.
    func pages(_ methods: [MethodDescriptor], basemap: BasemapSettings?) throws -> Pages {
        var files = StaticFiles()
        if let web {
            try files.add(web, under: "/")
            for (name, text) in try ModuleBundle(folder: "\(web)/modules").files {
                files.add(StaticFiles.File(script: text), at: "\(WebModule.home)\(name)")
            }
            if let sheet = try StyleSheet.joined(folder: "\(web)/styles") {
                files.add(StaticFiles.File(sheet: sheet), at: "/styles/\(StyleSheet.entry)")
            }
        }
        if let map { try files.add(map, under: "/map/") }
        if web != nil || map != nil, let libraries {
            try files.add("\(libraries)/leaflet", under: "/libraries/leaflet/") { name in
                name.ends(with: ".min.js") || name.ends(with: ".css") || name.begins(with: "images/")
            }
        }
        let settings = WebSettings(version: ServiceProgram.version, needsToken: !isOpen, tiles: tiles, basemap: basemap)
        files.add(StaticFiles.File(json: settings), at: "/settings.json")
        files.add(StaticFiles.File(json: OpenAPI(methods).document), at: "/openapi.json")
        return Pages(files, tiles: tiles, isSecure: isSecure)
    }

    private static func origins(_ options: Options, isOpen: Bool) throws(OptionError) -> Origins {
        let publicURL = try WebOrigin.publicURL(options)
        var allowed: Set<String> = []
        for text in list(options["--allow-origins"]) {
            guard let origin = WebOrigin(text), origin.text == text.lowercased() else {
                throw OptionError("--allow-origins has \(text); an origin such as https://map.example.org is needed")
            }
            allowed.insert(origin.text)
        }
        return Origins(publicURL: publicURL, allowed: allowed, isOpen: isOpen)
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
        (text ?? "").split(at: ",").map { $0.without(" ") }.filter { !$0.isEmpty }
    }
}
