/// Conditional requests (RFC 9110, section 13).
enum EntityTag {
    /// Whether a list of `If-None-Match` contains the tag; a weak one counts.
    static func isNamed(_ tag: String, by list: String?) -> Bool {
        guard let list else { return false }
        return list.split(separator: ",").contains { entry in
            var entry = entry.drop { $0 == " " }
            if entry.hasPrefix("W/") { entry = entry.dropFirst(2) }
            while entry.last == " " { entry.removeLast() }
            return entry == "*" || entry == tag
        }
    }
}
