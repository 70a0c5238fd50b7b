import Daemon

extension LiveConfig {
    /// Answers of a geocoder change seldom.
    private static let answerDays: Int64 = 30
    private static let perDay = 50_000

    /// The other geocoder; nil when none is configured.
    static func nominatim(_ options: Options) throws(OptionError) -> NominatimServer? {
        guard let url = try url("--nominatim-url", options) else { return nil }
        let rules = NetworkRules(
            perSecond: try options.number("--nominatim-rate", in: 0.001...1_000), burst: 1, perDay: perDay,
            expiryMilliseconds: answerDays * 86_400_000)
        return NominatimServer(url: url, rules: rules)
    }

    static let nominatimOptions = [
        Option(
            "--nominatim-url", "URL", variable: "WAYMARK_NOMINATIM_URL",
            help: "a server that speaks Nominatim's protocol, asked for texts that name nothing here; off without it"),
        Option(
            "--nominatim-rate", "N", variable: "WAYMARK_NOMINATIM_RATE", fallback: "1",
            help: "requests to it a second"),
    ]
}
