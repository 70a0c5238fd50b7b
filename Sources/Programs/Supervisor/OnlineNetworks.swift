package import Arguments
import Networks

/// What `up --online CONTACT` switches on: the networks that need no key.
package struct OnlineNetworks: Sendable {
    package static let flag = Flag(
        "online", "CONTACT",
        "streets, places and photos anywhere: asks \(labels(ofPins)) and a server of vector tiles, which get this e-mail"
            + " address or URL")

    /// Those that fill pins.
    private static let ofPins = Network.open.filter { $0.maps == nil }

    /// Whom the networks may write to.
    package let contact: String

    /// Nil when it was not asked for.
    package init?(_ arguments: ParsedArguments) {
        guard let contact = arguments.text(Self.flag.name) else { return nil }
        self.contact = contact
    }

    /// The flags that it stands for, unless they are given.
    var flags: [String: String] {
        Dictionary(
            uniqueKeysWithValues: [("contact", contact)]
                + Network.open.map { ("\($0.name)-url", $0.asked?.address ?? "") })
    }

    /// "OpenStreetMap, Wikimedia Commons and Panoramax"
    private static func labels(_ networks: [Network]) -> String {
        let labels = networks.map(\.label)
        let first = labels.dropLast().joined(separator: ", ")
        return first.isEmpty ? labels.joined() : "\(first) and \(labels.last ?? "")"
    }

    /// What leaves this machine, in sentences.
    package var notice: [String] {
        let (ofPlaces, ofPhotos) = (Network.open.filter { $0.places != nil }, Network.open.filter { $0.photos != nil })
        return [
            "Online, as \(contact): \(Self.labels(ofPlaces)) is asked for places, \(Self.labels(ofPhotos)) for photos"
                + " around your pins, a server of vector tiles for the streets of the map.",
            "They learn which squares of the map are looked at, of some 500 m around pins and of more than a kilometre"
                + " for the streets, and which places' own pictures. What never leaves this machine: where exactly a"
                + " pin is, its name, and your own pictures.",
            "waymark networks shows what each was asked today; waymark networks off NAME switches one off at once.", "",
        ]
    }
}
