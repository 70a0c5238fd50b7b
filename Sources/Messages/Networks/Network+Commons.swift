import Arguments

extension Network {
    package static let commons = Network(
        name: "commons", label: "Wikimedia Commons",
        photos: PhotoOffer(
            demand: .init(author: true, licence: true, source: true), isOfAreas: true,
            settings: [
                address(of: "commons", "Wikimedia Commons' API", at: commonsAPI),
                Option(
                    "--commons-files", "URL", defaultText: "Wikimedia's servers",
                    help: "what the addresses of its pictures begin with; nothing else is fetched"),
                Option(
                    "--wikidata-url", "URL", defaultText: "Wikidata's API",
                    help: "where items are looked up that the tags of places name; asked when commons is on"),
            ]),
        asked: Asking(address: commonsAPI, rate: "2", atOnce: 2))

    private static let commonsAPI = "https://commons.wikimedia.org/w/api.php"
}
