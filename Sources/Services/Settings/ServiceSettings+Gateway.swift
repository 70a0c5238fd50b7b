import Arguments

extension ServiceSettings {
    package static let gateway = ServiceSettings(
        program: "gateway", name: "gateway",
        summary: "the one address that clients call; asks the other services and composes their answers",
        defaultPort: 7_700, own: gatewayPeers + [open] + http)

    private static let gatewayPeers: [Option] = [
        Option.address(of: places, "places service"), Option.address(of: pins, "pin service"),
        Option.address(of: photos, "photo service"),
    ]

    private static let open = Option(
        "--open", defaultText: "on, when listening on loopback alone and without tokens", up: .sets,
        help: "calls without a token act as the profile \"local\"")

    private static let http: [Option] = [
        Option("--http", "HOST:PORT", default: "127.0.0.1:7780", up: .sets, help: "where HTTP is spoken, or none"),
        Option(
            "--http-tls-certificate", "FILE", access: .readsReplacedFile, up: .sets,
            help: "speak HTTPS there, TLS 1.2 or newer, with this certificate (PEM)"),
        Option(
            "--http-tls-key", "FILE", access: .readsReplacedFile, up: .sets,
            help: "the certificate's key (PEM)"),
        Option(
            "--token-file", "PATH", access: .readsFile, up: .sets,
            help: "a file with tokens, one per line, and roles after each; their bearers act as the profile \"local\""),
        Option.publicURL,
        Option(
            "--trusted-proxies", "LIST", help: "addresses or networks of proxies whose X-Forwarded-For is believed"),
        Option("--allow-origins", "LIST", help: "other web sites whose pages may call, with commas between them"),
        Option(
            "--rate", "N", default: 500, in: 0...1_000_000,
            help: "requests per second of one client over HTTP, twice as many at once; 0 for no limit"),
        Option(
            "--cache-bytes", "BYTES", default: 1 << 30, in: 0...(1 << 50),
            help: "pictures that it keeps in its data folder; the folder may be emptied at any time"),
        Option(
            "--tiles", "URL",
            help: "a server of raster tiles, with {z}, {x} and {y}, in place of the bundled map"),
        Option("--tiles-attribution", "TEXT", help: "what has to be shown with the tiles"),
        Option(
            "--basemap", "FILE", access: .readsFile,
            help: "a PMTiles archive of vector tiles that is drawn below the maps of datasets"),
        Option(
            "--web", "DIR", defaultText: "next to the program", access: .readsFolder, help: "the web app, or none"),
        Option(
            "--map", "DIR", defaultText: "next to the program", access: .readsFolder,
            help: "what the bundled map is drawn from, or none"),
        Option(
            "--libraries", "DIR", default: "/usr/share/javascript", access: .readsFolder,
            help: "where the system keeps Leaflet"),
    ]
}

extension Option {
    /// Where a service is that another one calls.
    static func address(of service: ServiceSettings, _ name: String) -> Option {
        Option(
            "--\(service.name)", "HOST:PORT", default: "127.0.0.1:\(service.defaultPort)", up: .sets,
            help: "where the \(name) is: its name, or HOST,HOST:PORT for replicas without one")
    }

    /// How browsers reach the gateway.
    static let publicURL = Option(
        "--public-url", "URL", help: "how browsers reach the gateway, when it is not by its own address")
}
