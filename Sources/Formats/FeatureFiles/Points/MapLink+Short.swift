internal import Bytes

extension MapLink {
    /// A service's short links, which say nothing: only the service itself knows where one leads.
    package struct Shortener: Sendable {
        package let service: String
        /// Links of it, for the tests.
        package let examples: [String]
        let owns: @Sendable (MapURL) -> Bool
    }

    package static let shorteners = [
        Shortener(
            service: "Google Maps",
            examples: [
                "https://maps.app.goo.gl/Xy7Ab12", "https://goo.gl/maps/Xy7Ab12", "https://g.co/maps/abc12",
                "https://share.google/AbCdEf", "https://www.google.com/maps?cid=1234567890123456789",
                "https://g.page/some-cafe",
            ],
            owns: { link in
                link.isAt("maps.app.goo.gl", "share.google", "g.page")
                    || link.isAt("goo.gl", "g.co") && link.path.begins(with: "/maps")
                    || google.owns(link) && (link["cid"] != nil || link["ftid"] != nil) && link["q"] == nil
            }),
        Shortener(
            service: "Apple Maps", examples: ["https://maps.apple/p/AbC.dEf"],
            owns: { $0.isAt("maps.apple") && $0.path.begins(with: "/p/") }),
        Shortener(
            service: "Bing Maps", examples: ["https://binged.it/3AbCdEf"], owns: { $0.isAt("binged.it") }),
        Shortener(
            service: "Yandex Maps", examples: ["https://yandex.com/maps/-/CDabC~Xy"],
            owns: { yandex.owns($0) && $0.path.begins(with: "/maps/-/") }),
        Shortener(
            service: "Mapy.com", examples: ["https://mapy.cz/s/abcdefgh", "https://mapy.com/s/abcdefgh"],
            owns: { mapy.owns($0) && $0.path.begins(with: "/s/") }),
        Shortener(
            service: "HERE WeGo", examples: ["https://her.is/3AbCdEf"],
            owns: { $0.isAt("her.is") && !$0.path.begins(with: "/l/") }),
    ]

    /// Whose short link a text has, where no link of it says a point; nil when it has none.
    package static func shortener(of text: String) -> String? {
        guard point(text) == nil else { return nil }
        return links(in: text).lazy.compactMap { link in shorteners.first { $0.owns(link) }?.service }.first
    }
}
