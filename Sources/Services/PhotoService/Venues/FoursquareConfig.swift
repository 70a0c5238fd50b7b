import Arguments
import Bytes
import Daemon
import LiveNetworks

/// The settings of Foursquare's photos of venues.
struct FoursquareConfig: Sendable {
    let photos: FoursquarePhotos
    let rules: NetworkRules

    /// Nil when they are off.
    init?(_ options: Options) throws(OptionError) {
        guard let name = options["--foursquare-photos"], !name.isEmpty else { return nil }
        guard let shape = FoursquarePhotos.Shape(rawValue: name) else {
            throw OptionError("--foursquare-photos is \(name); 2025, v3 and v2 are known")
        }
        let key = try options.required("--foursquare-key")
        guard shape != .second || key.split(at: ":", maxSplits: 1).count == 2 else {
            throw OptionError("--foursquare-key must be ID:SECRET in the shape v2")
        }
        var photos = FoursquarePhotos(
            shape: shape,
            url: try NetworkOptions.url("--foursquare-url", options) ?? FoursquarePhotos.defaultURL(shape), key: key)
        photos.files = try NetworkOptions.url("--foursquare-files", options).map { $0 + "/" }
        self.photos = photos
        rules = try NetworkOptions.rules(FoursquarePhotos.network, options)
    }
}
