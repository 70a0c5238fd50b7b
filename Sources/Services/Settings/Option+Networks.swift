import Arguments

extension Option {
    /// Who asks, and how long an answer is valid.
    static let shared = [
        Option(
            "--contact", "ADDRESS", defaultText: "none, needed to ask a live network",
            help: "an e-mail address or URL that is sent to live networks"),
        Option(
            "--live-hours", "HOURS", default: 24, in: 1...8_760,
            help: "how long the answers of a live network stay valid"),
    ]

    /// How often a network may be asked.
    static func limits(_ network: String, rate: String, atOnce: Int, perDay: Int = 5_000) -> [Option] {
        [
            Option("--\(network)-rate", "N", default: rate, in: rates, help: "requests to \(network) per second"),
            Option(
                "--\(network)-daily", "N", default: perDay, in: 1...10_000_000,
                help: "requests to \(network) per day, from midnight UTC"),
            Option(
                "--\(network)-at-once", "N", default: atOnce, in: 1...64,
                help: "requests to \(network) at the same time"),
        ]
    }

    static let rates = NumberRange.decimal(0.001...1_000)
}
