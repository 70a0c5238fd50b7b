package import Arguments

/// Flags of the services that `up` accepts too, and passes on unchanged.
package struct PassedFlags: Sendable {
    /// Those of the gateway and of the pin service.
    package static let ofAddresses = [
        Flag("public-url", "URL", "how browsers reach the gateway, when it is not by its own address")
    ]

    /// Those of the pin service.
    package static let ofPins = [
        Flag("first-networks", "choose|all", "what an account's searches ask before it has chosen"),
        Flag("sign-up", "RULE", "who may make an account: open, invitation or closed"),
        Flag("session-hours", "N", "how long a session lasts that is not used"),
        Flag("smtp-url", "URL", "the server that takes mail on: smtp://HOST:587, or smtps://HOST:465"),
        Flag("smtp-user", "NAME", "who logs in there"),
        Flag("smtp-password-file", "FILE", "a file whose first line is the password there"),
        Flag("smtp-ca", "FILE", "the authorities (PEM) that its certificate is checked with"),
        Flag("mail-from", "ADDRESS", "what messages are from"),
        Flag("login-providers", "FILE", "OpenID providers that one can log in with; needs --public-url"),
        Flag("password-login", "on|off", "whether one can log in with a password"),
        Flag("sharing", "on|off", "whether people can share pins by links"),
    ]

    /// Those of the gateway.
    package static let ofGateway = [
        Flag("trusted-proxies", "LIST", "addresses or networks of proxies whose X-Forwarded-For is believed"),
        Flag("allow-origins", "LIST", "origins of other web sites that may call, with commas between them"),
        Flag("tiles", "URL", "a server of raster tiles for the map, with {z}, {x} and {y}"),
        Flag("tiles-attribution", "TEXT", "what has to be shown with the tiles"),
        Flag("basemap", "FILE", "a PMTiles archive of vector tiles, drawn below the maps of datasets"),
    ]

    /// Those of the places service.
    package static let ofPlaces =
        [
            Flag("bundled", "DIR", "the data that comes with Waymark, or none; next to the programs by default"),
            Flag("openstreetmap-url", "URL", "an Overpass interpreter; OpenStreetMap is queried live then"),
            Flag("foursquare-shape", "SHAPE", "the version of Foursquare's API: 2025 or v2"),
            Flag("nominatim-url", "URL", "another geocoder, to ask what is not known here"),
            Flag("nominatim-rate", "N", "requests to it a second"),
        ] + limits(of: "openstreetmap")

    /// Those of the photo service.
    package static let ofPhotos =
        [
            Flag(
                "pictures-leave-out", "NAMES", "folders and files in --pictures that are left out, with commas between"),
            Flag("commons-url", "URL", "Wikimedia Commons' API; photos are looked for there then"),
            Flag("commons-files", "URL", "what the addresses of its pictures begin with"),
            Flag("panoramax-url", "URL", "Panoramax' API; pictures of streets are looked for there then"),
            Flag("panoramax-files", "URL", "what the addresses of its pictures begin with"),
            Flag("flickr-key-file", "FILE", "a file with a key for Flickr's API; photos are looked for there then"),
            Flag("flickr-url", "URL", "where it is"),
            Flag("flickr-files", "URL", "what the addresses of its pictures begin with"),
            Flag("immich-servers", "LIST", "servers of Immich whose photos accounts may show in their albums"),
            Flag("foursquare-photos", "SHAPE", "Foursquare's photos of venues, by its API 2025, v3 or v2"),
            Flag("foursquare-files", "URL", "what the addresses of its pictures begin with"),
            Flag("instagram-files", "URL", "what the addresses of its pictures begin with"),
        ] + ["commons", "panoramax", "flickr", "immich"].flatMap(limits)

    /// Those of both the places and the photo service.
    package static let ofNetworks =
        [
            Flag("contact", "ADDRESS", "an e-mail address or URL that is sent to live networks; needed with any"),
            Flag("live-hours", "HOURS", "how long an answer of a live network is good"),
            Flag(
                "foursquare-key", "KEY",
                "Foursquare is queried live then; others on this machine can't see what"
                    + " WAYMARK_FOURSQUARE_KEY says"),
            Flag("foursquare-url", "URL", "where it is"),
            Flag("instagram-url", "URL", "a server with Instagram's former API"),
            Flag("instagram-token", "TOKEN", "the access token for it, or WAYMARK_INSTAGRAM_TOKEN"),
        ] + ["foursquare", "instagram"].flatMap(limits)

    /// All of them.
    package static let all = ofAddresses + ofGateway + ofPins + ofPlaces + ofPhotos + ofNetworks

    private static func limits(of network: String) -> [Flag] {
        [
            Flag("\(network)-rate", "N", "requests to \(network) a second"),
            Flag("\(network)-daily", "N", "requests to \(network) a day"),
            Flag("\(network)-at-once", "N", "requests to \(network) at the same time"),
        ]
    }

    /// In the form that the services accept.
    private(set) var gateway: [String] = []
    private(set) var pins: [String] = []
    private(set) var places: [String] = []
    private(set) var photos: [String] = []

    /// No flag was given.
    package init() {}

    /// The flags that were given, and those that `--online` stands for.
    package init(_ arguments: ParsedArguments) {
        let online = OnlineNetworks(arguments)?.flags ?? [:]
        func given(_ flags: [Flag]) -> [String] {
            // A value may begin with a dash.
            flags.flatMap { flag in
                (arguments.text(flag.name) ?? online[flag.name]).map { ["--\(flag.name)=\($0)"] } ?? []
            }
        }
        gateway = given(Self.ofAddresses + Self.ofGateway)
        pins = given(Self.ofAddresses + Self.ofPins)
        places = given(Self.ofPlaces + Self.ofNetworks)
        photos = given(Self.ofPhotos + Self.ofNetworks)
    }
}
