package import Arguments

extension Option {
    /// The networks that places come from.
    package static let placeNetworks =
        shared + [
            Option(
                "--openstreetmap-url", "URL", defaultText: "off",
                help:
                    "switches it on: an Overpass interpreter, https://overpass-api.de/api/interpreter or another; without it"
                    + " an administrator can, and that one is asked")
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
        ] + limits("instagram", rate: "1", atOnce: 2) + nominatim

    private static let nominatim = [
        Option(
            "--nominatim-url", "URL", defaultText: "off",
            help: "a server that speaks Nominatim's protocol, asked for texts that name nothing here"),
        Option("--nominatim-rate", "N", default: "1", in: rates, help: "requests to it per second"),
    ]
}
