import Arguments
import Daemon
import LiveNetworks

/// The settings of the networks that photos come from. One that needs no key can always be asked; it is on when its
/// address is given, or when an administrator switches it on.
struct PhotoNetworksConfig: Sendable {
    /// A network that can be asked.
    struct Network: Sendable {
        let provider: any PhotoProvider
        let rules: NetworkRules
        /// Whether it is asked until an administrator says something else.
        var isOn = true
    }

    let networks: [Network]
    /// Where accounts may have libraries of their own.
    let immich: ImmichConfig
    /// The photos of venues; nil when they are not asked for.
    let foursquare: FoursquareConfig?
    /// The photos of locations; nil when they are not asked for.
    let instagram: InstagramConfig?
    /// The networks that have photos of venues, and none of areas.
    var ofVenues: [(name: String, source: any PictureSource, about: ProviderAbout, rules: NetworkRules)] {
        typealias OfVenues = (name: String, source: any PictureSource, about: ProviderAbout, rules: NetworkRules)
        let foursquare = foursquare.map { config -> OfVenues in
            (FoursquarePhotos.network, config.photos, FoursquarePhotos.about, config.rules)
        }
        let instagram = instagram.map { config -> OfVenues in
            (InstagramMedia.network, config.media, InstagramMedia.about, config.rules)
        }
        return [foursquare, instagram].compactMap(\.self)
    }
    /// Whom networks may write to; empty when none is given.
    let contact: String

    init(_ options: Options) throws(OptionError) {
        let commonsURL = try NetworkOptions.url("--commons-url", options)
        var commons = CommonsProvider(url: commonsURL ?? CommonsProvider.defaultURL)
        if let files = try NetworkOptions.url("--commons-files", options) { commons.files = [files + "/"] }
        if let items = try NetworkOptions.url("--wikidata-url", options) { commons.itemsURL = items }
        let panoramaxURL = try NetworkOptions.url("--panoramax-url", options)
        var panoramax = PanoramaxProvider(url: panoramaxURL ?? PanoramaxProvider.defaultURL)
        panoramax.files = try NetworkOptions.url("--panoramax-files", options).map { $0 + "/" }
        var networks = [
            Network(
                provider: commons, rules: try NetworkOptions.rules(commons.name, options), isOn: commonsURL != nil),
            Network(
                provider: panoramax, rules: try NetworkOptions.rules(panoramax.name, options),
                isOn: panoramaxURL != nil),
        ]
        if let flickr = try Self.flickr(options) {
            networks.append(Network(provider: flickr, rules: try NetworkOptions.rules(flickr.name, options)))
        }
        self.networks = networks
        immich = try ImmichConfig(options)
        foursquare = try FoursquareConfig(options)
        instagram = try InstagramConfig(options)
        let isNeeded = networks.contains(where: \.isOn) || foursquare != nil || instagram != nil
        contact = try NetworkOptions.contact(options, isNeeded: isNeeded)
    }
}

extension PhotoNetworksConfig {
    private static func flickr(_ options: Options) throws(OptionError) -> FlickrProvider? {
        guard let key = try options.secret(inFile: "--flickr-key-file") else { return nil }
        let url = try NetworkOptions.url("--flickr-url", options)
        var flickr = FlickrProvider(url: url ?? FlickrProvider.defaultURL, key: key)
        if let files = try NetworkOptions.url("--flickr-files", options) { flickr.files = files + "/" }
        return flickr
    }
}
