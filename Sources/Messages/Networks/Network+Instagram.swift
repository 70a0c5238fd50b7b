import Arguments

extension Network {
    package static let instagram = Network(
        name: "instagram", label: "Instagram",
        places: PlaceOffer(
            maximumLinks: 50, attribution: "Instagram", maximumRadiusMetres: 5_000,
            needs: [
                Option(
                    "--instagram-url", "URL", defaultText: "off", help: "a server that speaks Instagram's old API"),
                instagramToken,
            ]),
        photos: PhotoOffer(
            demand: .init(author: true, source: true),
            settings: [
                Option(
                    "--instagram-url", "URL", defaultText: "off",
                    help: "a server that speaks Instagram's old API, which Instagram itself has ended: photos of a"
                        + " location, when its album is opened"),
                instagramToken,
                Option(
                    "--instagram-files", "URL", defaultText: "any public https server",
                    help: "what the addresses of its pictures begin with"),
            ]),
        asked: Asking(rate: "1", atOnce: 2), takesKeys: true)

    private static let instagramToken = Option(
        "--instagram-token", "TOKEN", isSecret: true, help: "the access token for it")
}
