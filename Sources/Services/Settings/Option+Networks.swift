package import Arguments
import Networks

extension Option {
    /// The networks that places and maps come from.
    package static let placeNetworks =
        shared + Network.livePlaces.flatMap(\.placeOptions) + Network.ofMaps.flatMap(\.mapOptions) + nominatim
    /// The networks that photos come from.
    package static let photoNetworks = shared + Network.all.flatMap(\.photoOptions)

    /// Who asks, and how long an answer is valid.
    private static let shared = [
        Option(
            "--contact", "ADDRESS", defaultText: "none, needed to ask a live network",
            help: "an e-mail address or URL that is sent to live networks"),
        Option(
            "--live-hours", "HOURS", default: 24, in: 1...8_760,
            help: "how long the answers of a live network stay valid"),
    ]

    private static let nominatim = [
        Option(
            "--nominatim-url", "URL", defaultText: "off",
            help: "a server that speaks Nominatim's protocol, asked for texts that name nothing here"),
        Option("--nominatim-rate", "N", default: "1", in: .requests, help: "requests to it per second"),
    ]
}
