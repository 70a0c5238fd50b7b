import Storage

/// The kinds of work that a pin asks for. The names are kept in the database.
enum Work {
    /// Finds places of the catalog. Key: "<pin>/<network>".
    static let discover = "discover"
    /// Finds a name. Key: "<pin>".
    static let name = "name"
    /// Asks for the photos. Key: "<pin>".
    static let albums = "albums"
    /// Tells the photo service that a pin is gone. Key: "<pin>/<account>".
    static let forget = "forget"

    /// Finds places of a network, each live one being a kind of its own: one that is slow holds up no other.
    static func discovery(at network: String) -> String {
        PlaceNetwork.live(network) == nil ? discover : "\(discover)/\(network)"
    }

    /// The key of what is done for a pin, `rest` being the part behind its id.
    static func key(_ pin: PinID, _ rest: String = "") -> String { rest.isEmpty ? "\(pin)" : "\(pin)/\(rest)" }

    /// The pin that a key names, and what stands behind it.
    static func subject(of key: String) -> (pin: PinID, rest: String)? {
        let parts = key.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let pin = PinID(String(first)) else { return nil }
        return (pin, parts.count > 1 ? String(parts[1]) : "")
    }
}
