import Arguments
import Daemon
import LiveNetworks

/// The settings of Instagram's photos of locations.
struct InstagramConfig: Sendable {
    let media: InstagramMedia
    let rules: NetworkRules

    /// Nil when it is off.
    init?(_ options: Options) throws(OptionError) {
        guard let url = try NetworkOptions.url("--instagram-url", options) else { return nil }
        var media = InstagramMedia(url: url, token: try options.required("--instagram-token"))
        media.files = try NetworkOptions.url("--instagram-files", options).map { $0 + "/" }
        self.media = media
        rules = try NetworkOptions.rules(InstagramMedia.network, options)
    }
}
