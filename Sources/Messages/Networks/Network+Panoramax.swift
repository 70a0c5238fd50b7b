import Arguments

extension Network {
    package static let panoramax = Network(
        name: "panoramax", label: "Panoramax",
        photos: PhotoOffer(
            demand: .init(author: true, licence: true, source: true), isOfAreas: true,
            settings: [
                address(of: "panoramax", "Panoramax' API", at: panoramaxAPI, or: "that of one instance"),
                Option(
                    "--panoramax-files", "URL", defaultText: "any public https server",
                    help: "what the addresses of its pictures begin with"),
            ]),
        asked: Asking(address: panoramaxAPI, rate: "2", atOnce: 2))

    private static let panoramaxAPI = "https://api.panoramax.xyz/api"
}
