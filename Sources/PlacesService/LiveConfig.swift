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
            perSecond: try options.number("--\(network.rawValue)-rate", in: 0.001...1_000),
            perDay: try options.integer("--\(network.rawValue)-daily", in: 1...10_000_000),
            atOnce: try options.integer("--\(network.rawValue)-at-once", in: 1...64),
            expiryMilliseconds: Int64(try options.integer("--live-hours", in: 1...8_760)) * 3_600_000)
    }

    static let options =
        [
            Option(
                "--openstreetmap-url", "URL", variable: "WAYMARK_OPENSTREETMAP_URL",
                help: "an Overpass interpreter, such as https://your.host/api/interpreter; off without it"),
            Option(
                "--foursquare-key", "KEY", variable: "WAYMARK_FOURSQUARE_KEY", isSecret: true,
                help: "the key of a Foursquare service, ID:SECRET in its shape v2; off without it"),
            Option(
                "--foursquare-shape", "SHAPE", variable: "WAYMARK_FOURSQUARE_SHAPE", fallback: "2025",
                help: "the version of Foursquare's API: 2025 or v2"),
            Option(
                "--foursquare-url", "URL", variable: "WAYMARK_FOURSQUARE_URL",
                help: "where it is; default: the one of its shape"),
            Option(
                "--instagram-url", "URL", variable: "WAYMARK_INSTAGRAM_URL",
                help: "a server with Instagram's former API; off without it"),
            Option(
                "--instagram-token", "TOKEN", variable: "WAYMARK_INSTAGRAM_TOKEN", isSecret: true,
                help: "the access token for it"),
            Option(
                "--contact", "ADDRESS", variable: "WAYMARK_CONTACT",
                help: "an e-mail address or URL that is sent to live networks; needed when there is one"),
            Option(
                "--live-hours", "HOURS", variable: "WAYMARK_LIVE_HOURS", fallback: "24",
                help: "how long an answer of a live network is good"),
        ]
        + nominatimOptions
        + limits("openstreetmap", rate: "1", daily: "5000", atOnce: "2")
        + limits("foursquare", rate: "5", daily: "5000", atOnce: "4")
        + limits("instagram", rate: "1", daily: "5000", atOnce: "2")

    private static func limits(_ network: String, rate: String, daily: String, atOnce: String) -> [Option] {
        let variable = "WAYMARK_\(network.uppercased())"
        return [
            Option(
                "--\(network)-rate", "N", variable: "\(variable)_RATE", fallback: rate,
                help: "requests to \(network) a second"),
            Option(
                "--\(network)-daily", "N", variable: "\(variable)_DAILY", fallback: daily,
                help: "requests to \(network) a day, from midnight UTC"),
            Option(
                "--\(network)-at-once", "N", variable: "\(variable)_AT_ONCE", fallback: atOnce,
                help: "requests to \(network) at the same time"),
        ]
    }
}

extension LiveConfig {
    /// Answers of a geocoder rarely change.
    private static let answerDays: Int64 = 30
    private static let perDay = 50_000

    /// The other geocoder; nil when none is configured.
    static func nominatim(_ options: Options) throws(OptionError) -> NominatimServer? {
        guard let url = try url("--nominatim-url", options) else { return nil }
        let rules = NetworkRules(
            perSecond: try options.number("--nominatim-rate", in: 0.001...1_000), burst: 1, perDay: perDay,
            expiryMilliseconds: answerDays * 86_400_000)
        return NominatimServer(url: url, rules: rules)
    }

    static let nominatimOptions = [
        Option(
            "--nominatim-url", "URL", variable: "WAYMARK_NOMINATIM_URL",
            help: "a server with Nominatim's protocol, queried for texts that name nothing here; off without it"),
        Option(
            "--nominatim-rate", "N", variable: "WAYMARK_NOMINATIM_RATE", fallback: "1",
            help: "requests to it a second"),
    ]
}
