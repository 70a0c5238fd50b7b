import Arguments
import LiveNetworks
import Daemon

/// The settings of live networks. One that needs no key can always be asked; it is on when its address is given, or
/// when an administrator switches it on.
struct LiveConfig: Sendable {
    let networks: [LiveNetwork]
    /// Where the streets of the world come from.
    let streets: StreetConfig
    /// Another geocoder, asked for what is not known here.
    let geocoder: NominatimServer?
    /// Whom networks may write to; empty when none is given.
    let contact: String

    init(_ options: Options) throws(OptionError) {
        var networks: [LiveNetwork] = []
        for provider in Self.providers {
            guard let live = try provider.configured(options) else { continue }
            let rules = try NetworkOptions.rules(live.provider.name, options)
            networks.append(LiveNetwork(provider: live.provider, rules: rules, isOn: live.isOn))
        }
        streets = try StreetConfig(options)
        geocoder = try Self.nominatim(options)
        let isAsked = networks.contains(where: \.isOn) || streets.isOn || geocoder != nil
        contact = try NetworkOptions.contact(options, isNeeded: isAsked)
        self.networks = networks
    }

    /// How each network of places is made from its settings.
    private static let providers: [any ConfigurableProvider.Type] = [
        OverpassProvider.self, FoursquareProvider.self, InstagramProvider.self,
    ]
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
