package import Arguments

extension Network {
    /// The settings of it at the places service.
    package var placeOptions: [Option] { places.map { $0.needs + $0.settings + limits } ?? [] }
    /// The settings of it at the photo service.
    package var photoOptions: [Option] { photos.map { $0.settings + limits } ?? [] }

    /// The settings of its maps, at the places service.
    package var mapOptions: [Option] { maps.map { $0.settings + limits } ?? [] }

    /// The flag for its address: "--openstreetmap-url".
    package var addressFlag: String { "--\(name)-url" }

    /// The settings that make it available, in one line.
    package var placeAdvice: String {
        let flags = (places?.needs ?? maps?.settings.prefix(1).map(\.self) ?? []).map { "\($0.flag) \($0.value ?? "")" }
        return (["places-service"] + flags + ["--contact ADDRESS"]).joined(separator: " ")
    }

    /// How often it may be asked.
    private var limits: [Option] {
        guard let asked else { return [] }
        return [
            Option("--\(name)-rate", "N", default: asked.rate, in: .requests, help: "requests to \(name) per second"),
            Option(
                "--\(name)-daily", "N", default: asked.perDay, in: 1...10_000_000,
                help: "requests to \(name) per day, from midnight UTC"),
            Option(
                "--\(name)-at-once", "N", default: asked.atOnce, in: 1...64,
                help: "requests to \(name) at the same time"),
        ]
    }

    /// The address of one that needs no key, which also switches it on.
    /// - Parameters:
    ///   - server: what is there: "an Overpass interpreter".
    ///   - other: what may be there instead.
    static func address(
        of name: String, _ server: String, at address: String, or other: String = "another"
    ) -> Option {
        Option(
            "--\(name)-url", "URL", defaultText: "off",
            help: "switches it on: \(server), \(address) or \(other); without it an administrator can, and that one is"
                + " asked")
    }
}

extension NumberRange {
    /// Requests to a network per second.
    package static let requests = NumberRange.decimal(0.001...1_000)
}
