import LiveNetworks
import Daemon

/// The settings of live networks. Each is off until it is configured.
struct LiveConfig: Sendable {
    let networks: [LiveNetwork]
    /// Another geocoder, asked for what is not known here.
    let geocoder: NominatimServer?
    /// The User-Agent of requests, which names their sender.
    let agent: String

    init(_ options: Options) throws(OptionError) {
        var networks: [LiveNetwork] = []
        for provider in try Self.providers(options) {
            networks.append(LiveNetwork(provider: provider, rules: try Self.rules(provider.network, options)))
        }
        geocoder = try Self.nominatim(options)
        let contact = options["--contact"] ?? ""
        guard networks.isEmpty && geocoder == nil || !contact.isEmpty else {
            throw OptionError("--contact is missing: live networks want to know whom to write to")
        }
        guard contact.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) else {
            throw OptionError("--contact is \(contact); an address or a URL in plain characters is needed")
        }
        self.networks = networks
        agent = "Waymark (self-hosted; \(contact))"
    }

    private static func providers(_ options: Options) throws(OptionError) -> [any PlaceProvider] {
        var providers: [any PlaceProvider] = []
        if let url = try url("--openstreetmap-url", options) { providers.append(OverpassProvider(url: url)) }
        if let foursquare = try foursquare(options) { providers.append(foursquare) }
        if let url = try url("--instagram-url", options) {
            providers.append(InstagramProvider(url: url, token: try options.required("--instagram-token")))
        }
        return providers
    }

    private static func foursquare(_ options: Options) throws(OptionError) -> (any PlaceProvider)? {
        guard let key = options["--foursquare-key"] else { return nil }
        let url = try url("--foursquare-url", options)
        switch options["--foursquare-shape"] {
        case "2025": return FoursquareProvider(url: url ?? FoursquareProvider.defaultURL, key: key)
        case "v2":
            let parts = key.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw OptionError("--foursquare-key must be ID:SECRET in the shape v2") }
            return FoursquareV2Provider(url: url ?? FoursquareV2Provider.defaultURL, key: (parts[0], parts[1]))
        case let shape:
            throw OptionError("--foursquare-shape is \(shape ?? ""); v2 and 2025 are known")
        }
    }

    /// An address without the slash at its end; nil when none is given.
    static func url(_ flag: String, _ options: Options) throws(OptionError) -> String? {
        guard var url = options[flag], !url.isEmpty else { return nil }
        let rest = ["https://", "http://"].first(where: url.hasPrefix).map { url.dropFirst($0.count) } ?? ""
        guard !rest.isEmpty, !rest.hasPrefix("/"), !url.contains(where: { " ?#".contains($0) }) else {
            throw OptionError("\(flag) is \(url); http:// or https://, a host and perhaps a path are needed")
        }
        while url.last == "/" { url.removeLast() }
        return url
    }

    private static func rules(_ network: Network, _ options: Options) throws(OptionError) -> NetworkRules {
        NetworkRules(
            perSecond: try options.number("--\(network.rawValue)-rate"),
            perDay: try options.integer("--\(network.rawValue)-daily"),
            atOnce: try options.integer("--\(network.rawValue)-at-once"),
            expiryMilliseconds: Int64(try options.integer("--live-hours")) * 3_600_000)
    }

    static let options =
        [
            Option(
                "--contact", "ADDRESS", defaultText: "none, needed with a live network",
                help: "an e-mail address or URL that is sent to live networks"),
            Option(
                "--live-hours", "HOURS", default: 24, in: 1...8_760,
                help: "how long the answers of a live network stay valid"),
            Option(
                "--openstreetmap-url", "URL", defaultText: "off",
                help: "an Overpass interpreter, such as https://your.host/api/interpreter"),
        ] + limits("openstreetmap", rate: "1", atOnce: 2) + [
            Option(
                "--foursquare-key", "KEY", defaultText: "off", isSecret: true,
                help: "the key of a Foursquare service, ID:SECRET in its shape v2"),
            Option("--foursquare-shape", "SHAPE", default: "2025", help: "the version of Foursquare's API: 2025 or v2"),
            Option(
                "--foursquare-url", "URL", defaultText: "Foursquare's own",
                help: "where another server speaks its API"),
        ] + limits("foursquare", rate: "5", atOnce: 4) + [
            Option(
                "--instagram-url", "URL", defaultText: "off", help: "a server that speaks Instagram's old API"),
            Option("--instagram-token", "TOKEN", isSecret: true, help: "the access token for it"),
        ] + limits("instagram", rate: "1", atOnce: 2) + nominatimOptions

    private static func limits(_ network: String, rate: String, atOnce: Int) -> [Option] {
        [
            Option("--\(network)-rate", "N", default: rate, in: rates, help: "requests to \(network) per second"),
            Option(
                "--\(network)-daily", "N", default: 5_000, in: 1...10_000_000,
                help: "requests to \(network) per day, from midnight UTC"),
            Option(
                "--\(network)-at-once", "N", default: atOnce, in: 1...64,
                help: "requests to \(network) at the same time"),
        ]
    }

    private static let rates = NumberRange.decimal(0.001...1_000)
}

extension LiveConfig {
    /// Answers of a geocoder rarely change.
    private static let answerDays: Int64 = 30
    private static let perDay = 50_000

    /// The other geocoder; nil when none is configured.
    static func nominatim(_ options: Options) throws(OptionError) -> NominatimServer? {
        guard let url = try url("--nominatim-url", options) else { return nil }
        let rules = NetworkRules(
            perSecond: try options.number("--nominatim-rate"), burst: 1, perDay: perDay,
            expiryMilliseconds: answerDays * 86_400_000)
        return NominatimServer(url: url, rules: rules)
    }

    static let nominatimOptions = [
        Option(
            "--nominatim-url", "URL", defaultText: "off",
            help: "a server that speaks Nominatim's protocol, asked for texts that name nothing here"),
        Option("--nominatim-rate", "N", default: "1", in: rates, help: "requests to it per second"),
    ]
}
