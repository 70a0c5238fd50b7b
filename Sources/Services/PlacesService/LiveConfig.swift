import Arguments
import Bytes
import LiveNetworks
import Daemon

/// The settings of live networks. One that needs no key can always be asked; it is on when its address is given, or
/// when an administrator switches it on.
struct LiveConfig: Sendable {
    let networks: [LiveNetwork]
    /// Another geocoder, asked for what is not known here.
    let geocoder: NominatimServer?
    /// Whom networks may write to; empty when none is given.
    let contact: String

    init(_ options: Options) throws(OptionError) {
        var networks: [LiveNetwork] = []
        for (provider, isOn) in try Self.providers(options) {
            let rules = try NetworkOptions.rules(provider.network.rawValue, options)
            networks.append(LiveNetwork(provider: provider, rules: rules, isOn: isOn))
        }
        geocoder = try Self.nominatim(options)
        contact = try NetworkOptions.contact(options, isNeeded: networks.contains(where: \.isOn) || geocoder != nil)
        self.networks = networks
    }

    private static func providers(
        _ options: Options
    ) throws(OptionError) -> [(provider: any PlaceProvider, isOn: Bool)] {
        let overpass = try NetworkOptions.url("--openstreetmap-url", options)
        var providers: [(any PlaceProvider, Bool)] = [
            (OverpassProvider(url: overpass ?? OverpassProvider.defaultURL), overpass != nil)
        ]
        if let foursquare = try foursquare(options) { providers.append((foursquare, true)) }
        if let url = try NetworkOptions.url("--instagram-url", options) {
            providers.append((InstagramProvider(url: url, token: try options.required("--instagram-token")), true))
        }
        return providers
    }

    private static func foursquare(_ options: Options) throws(OptionError) -> (any PlaceProvider)? {
        guard let key = options["--foursquare-key"] else { return nil }
        let url = try NetworkOptions.url("--foursquare-url", options)
        switch options["--foursquare-shape"] {
        case "2025": return FoursquareProvider(url: url ?? FoursquareProvider.defaultURL, key: key)
        case "v2":
            let parts = key.split(at: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw OptionError("--foursquare-key must be ID:SECRET in the shape v2") }
            return FoursquareV2Provider(url: url ?? FoursquareV2Provider.defaultURL, key: (parts[0], parts[1]))
        case let shape:
            throw OptionError("--foursquare-shape is \(shape ?? ""); v2 and 2025 are known")
        }
    }
}

extension LiveConfig {
    /// Answers of a geocoder rarely change.
    private static let answerDays: Int64 = 30
    private static let perDay = 50_000

    /// The other geocoder; nil when none is configured.
    static func nominatim(_ options: Options) throws(OptionError) -> NominatimServer? {
        guard let url = try NetworkOptions.url("--nominatim-url", options) else { return nil }
        let rules = NetworkRules(
            perSecond: try options.number("--nominatim-rate"), burst: 1, perDay: perDay,
            expiryMilliseconds: answerDays * 86_400_000)
        return NominatimServer(url: url, rules: rules)
    }
}
