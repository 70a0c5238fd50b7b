import Bytes
import Daemon
import LiveNetworks

/// The settings of Foursquare's photos of venues.
struct FoursquareConfig: Sendable {
    let photos: FoursquarePhotos
    let rules: NetworkRules

    // The key and the address are those of the places service too; its places alone ask for no photos, which cost more.
    static let options =
        [
            Option(
                "--foursquare-photos", "SHAPE", defaultText: "off",
                help:
                    "Foursquare's photos of a venue, when its album is opened, by this version of its API: 2025, v3 or"
                    + " v2"),
            Option(
                "--foursquare-key", "KEY", defaultText: "needed with these", isSecret: true,
                help: "the key of a Foursquare service, ID:SECRET in its shape v2"),
            Option(
                "--foursquare-url", "URL", defaultText: "Foursquare's own",
                help: "where another server speaks its API"),
            Option(
                "--foursquare-files", "URL", defaultText: "Foursquare's servers",
                help: "what the addresses of its pictures begin with; nothing else is fetched"),
        ] + NetworkOptions.limits("foursquare", rate: "5", atOnce: 4)

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
