import Arguments
import LiveNetworks

/// The settings of the networks that photos come from. One that needs no key can always be asked; it is on when its
/// address is given, or when an administrator switches it on.
struct PhotoNetworksConfig: Sendable {
    let networks: [AskedPhotoNetwork]
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
        var networks: [AskedPhotoNetwork] = []
        for provider in Self.providers {
            guard let found = try provider.configured(options) else { continue }
            let rules = try NetworkOptions.rules(found.provider.name, options)
            networks.append(AskedPhotoNetwork(provider: found.provider, rules: rules, isOn: found.isOn))
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
    /// How each network that is asked for areas is made from its settings.
    private static let providers: [any ConfigurablePhotoProvider.Type] = [
        CommonsProvider.self, PanoramaxProvider.self, FlickrProvider.self,
    ]
}

/// One that is made from settings.
protocol ConfigurablePhotoProvider: PhotoProvider {
    /// Nil when they lack what it needs.
    static func configured(_ options: Options) throws(OptionError) -> ConfiguredPhotoProvider?
}

/// A provider as its settings make it.
struct ConfiguredPhotoProvider: Sendable {
    let provider: any PhotoProvider
    /// Whether it is asked until an administrator says something else.
    var isOn = true
}

/// A network that can be asked for what is in an area.
struct AskedPhotoNetwork: Sendable {
    let provider: any PhotoProvider
    let rules: NetworkRules
    let isOn: Bool
}
