import Arguments

extension Network {
    package static let foursquare = Network(
        name: "foursquare", label: "Foursquare",
        places: PlaceOffer(
            maximumLinks: 50, attribution: "Foursquare", maximumRadiusMetres: 100_000,
            needs: [
                Option(
                    "--foursquare-key", "KEY", defaultText: "off", isSecret: true,
                    help: "the key of a Foursquare service, ID:SECRET in its shape v2")
            ],
            settings: [
                Option(
                    "--foursquare-shape", "SHAPE", default: "2025", help: "the version of Foursquare's API: 2025 or v2"),
                foursquareURL,
            ]),
        // The key and the address are those of the places too, which alone ask for no photos: these cost more.
        photos: PhotoOffer(
            demand: .init(author: true, source: true),
            settings: [
                Option(
                    "--foursquare-photos", "SHAPE", defaultText: "off",
                    help: "Foursquare's photos of a venue, when its album is opened, by this version of its API: 2025,"
                        + " v3 or v2"),
                Option(
                    "--foursquare-key", "KEY", defaultText: "needed with these", isSecret: true,
                    help: "the key of a Foursquare service, ID:SECRET in its shape v2"),
                foursquareURL,
                Option(
                    "--foursquare-files", "URL", defaultText: "Foursquare's servers",
                    help: "what the addresses of its pictures begin with; nothing else is fetched"),
            ]),
        asked: Asking(rate: "5", atOnce: 4))

    private static let foursquareURL = Option(
        "--foursquare-url", "URL", defaultText: "Foursquare's own", help: "where another server speaks its API")
}
