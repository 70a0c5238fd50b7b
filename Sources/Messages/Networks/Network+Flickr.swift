import Arguments

extension Network {
    package static let flickr = Network(
        name: "flickr", label: "Flickr",
        photos: PhotoOffer(
            demand: .init(author: true, licence: true, source: true), isOfAreas: true,
            settings: [
                Option(
                    "--flickr-key-file", "FILE", defaultText: "off", access: .readsFile,
                    help: "a file whose first line is a key for Flickr's API; photos are looked for there then"),
                Option(
                    "--flickr-url", "URL", defaultText: "Flickr's own",
                    help: "where another server speaks its API, instead of https://api.flickr.com/services/rest"),
                Option(
                    "--flickr-files", "URL", defaultText: "Flickr's servers",
                    help: "what the addresses of its pictures begin with; nothing else is fetched"),
            ]),
        // Flickr disables a key that asks more than 3,600 times an hour.
        asked: Asking(rate: "0.9", atOnce: 2))
}
