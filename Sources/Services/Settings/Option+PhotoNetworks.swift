package import Arguments

extension Option {
    /// The networks that photos come from.
    package static let photoNetworks =
        shared + [
            Option(
                "--commons-url", "URL", defaultText: "off",
                help:
                    "switches it on: Wikimedia Commons' API, https://commons.wikimedia.org/w/api.php or another; without it an"
                    + " administrator can, and that one is asked"),
            Option(
                "--commons-files", "URL", defaultText: "Wikimedia's servers",
                help: "what the addresses of its pictures begin with; nothing else is fetched"),
            Option(
                "--wikidata-url", "URL", defaultText: "Wikidata's API",
                help: "where items are looked up that the tags of places name; asked when commons is on"),
            Option(
                "--panoramax-url", "URL", defaultText: "off",
                help: "switches it on: Panoramax' API, https://api.panoramax.xyz/api or that of one instance;"
                    + " without it an administrator can, and that one is asked"),
            Option(
                "--panoramax-files", "URL", defaultText: "any public https server",
                help: "what the addresses of its pictures begin with"),
        ] + limits("commons", rate: "2", atOnce: 2)
        + limits("panoramax", rate: "2", atOnce: 2) + flickr + immich
        + foursquarePhotos + instagramPhotos

    // Flickr disables a key that asks more than 3,600 times an hour.
    private static let flickr =
        [
            Option(
                "--flickr-key-file", "FILE", defaultText: "off", access: .readsFile,
                help: "a file whose first line is a key for Flickr's API; photos are looked for there then"),
            Option(
                "--flickr-url", "URL", defaultText: "Flickr's own",
                help: "where another server speaks its API, instead of https://api.flickr.com/services/rest"),
            Option(
                "--flickr-files", "URL", defaultText: "Flickr's servers",
                help: "what the addresses of its pictures begin with; nothing else is fetched"),
        ] + limits("flickr", rate: "0.9", atOnce: 2)

    private static let immich =
        [
            Option(
                "--immich-servers", "LIST", defaultText: "none",
                help: "servers of Immich whose photos accounts may show in their albums, as URL,URL; of one that people"
                    + " reach elsewhere URL=URL, the second theirs")
        ] + limits("immich", rate: "20", atOnce: 4, perDay: 100_000)

    // The key and the address are those of the places service too; its places alone ask for no photos, which cost more.
    private static let foursquarePhotos =
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
        ] + limits("foursquare", rate: "5", atOnce: 4)

    private static let instagramPhotos =
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
        ] + limits("instagram", rate: "1", atOnce: 2)
}
