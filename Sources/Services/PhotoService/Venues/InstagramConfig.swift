import Daemon
import LiveNetworks

/// The settings of Instagram's photos of locations.
struct InstagramConfig: Sendable {
    let media: InstagramMedia
    let rules: NetworkRules

    static let options =
        [
            Option(
                "--instagram-url", "URL", defaultText: "off",
                help:
                    "a server that speaks Instagram's old API, which Instagram itself has ended: photos of a location,"
                    + " when its album is opened"),
            Option("--instagram-token", "TOKEN", isSecret: true, help: "the access token for it"),
            Option(
                "--instagram-files", "URL", defaultText: "any public https server",
                help: "what the addresses of its pictures begin with"),
        ] + NetworkOptions.limits("instagram", rate: "1", atOnce: 2)

    /// Nil when it is off.
    init?(_ options: Options) throws(OptionError) {
        guard let url = try NetworkOptions.url("--instagram-url", options) else { return nil }
        var media = InstagramMedia(url: url, token: try options.required("--instagram-token"))
        media.files = try NetworkOptions.url("--instagram-files", options).map { $0 + "/" }
        self.media = media
        rules = try NetworkOptions.rules(InstagramMedia.network, options)
    }
}
