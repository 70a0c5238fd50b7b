package import Arguments

/// What `up --online CONTACT` switches on: the networks that need no key.
package struct OnlineNetworks: Sendable {
    package static let flag = Flag(
        "online", "CONTACT",
        "pins anywhere fill with places and photos: asks OpenStreetMap, Wikimedia Commons and Panoramax, which get"
            + " this e-mail address or URL")

    /// Whom the networks may write to.
    package let contact: String

    /// Nil when it was not asked for.
    package init?(_ arguments: ParsedArguments) {
        guard let contact = arguments.text(Self.flag.name) else { return nil }
        self.contact = contact
    }

    /// The flags that it stands for, unless they are given.
    var flags: [String: String] {
        [
            "contact": contact, "openstreetmap-url": "https://overpass-api.de/api/interpreter",
            "commons-url": "https://commons.wikimedia.org/w/api.php",
            "panoramax-url": "https://api.panoramax.xyz/api",
        ]
    }

    /// What leaves this machine, in sentences.
    package var notice: [String] {
        [
            "Online, as \(contact): OpenStreetMap is asked for places, Wikimedia Commons and Panoramax for photos around"
                + " your pins.",
            "They learn which squares of some 500 m are looked at, and which places' own pictures. What never leaves"
                + " this machine: where exactly a pin is, its name, and your own pictures.",
            "waymark networks shows what each was asked today; waymark networks off NAME switches one off at once.", "",
        ]
    }
}
