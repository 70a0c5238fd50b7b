import Storage

/// The kinds of work that a pin asks for. The names are kept in the database.
enum Work {
    /// Finds places. Key: "<pin>/<network>".
    static let discover = "discover"
    /// Finds a name. Key: "<pin>".
    static let name = "name"
    /// Asks for the photos. Key: "<pin>".
    static let albums = "albums"
    /// Tells the photo service that a pin is gone. Key: "<pin>/<account>".
    static let forget = "forget"

    /// The key of what is done for a pin, `rest` being the part behind its id.
    static func key(_ pin: PinID, _ rest: String = "") -> String { rest.isEmpty ? "\(pin)" : "\(pin)/\(rest)" }

    /// The pin that a key names, and what stands behind it.
    static func subject(of key: String) -> (pin: PinID, rest: String)? {
        let parts = key.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let pin = PinID(String(first)) else { return nil }
        return (pin, parts.count > 1 ? String(parts[1]) : "")
    }
}
