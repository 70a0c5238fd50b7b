import Bytes
import FoundationEssentials

/// The pictures that the entry of a place in OpenStreetMap names, or that the place itself has at Foursquare or
/// Instagram.
///
/// https://wiki.openstreetmap.org/wiki/Key:wikimedia_commons, Key:image, Key:panoramax, Key:wikidata
struct PictureNames: Equatable, Sendable {
    /// The longest title of a page, in bytes.
    private static let titleLimit = 240
    /// What one place may name: each category and each item is a request of its own.
    private static let limits = (files: 24, categories: 2, items: 1, panoramax: 24)

    /// Files of Wikimedia Commons, as their pages are called: "File:Old bridge.jpg".
    private(set) var files: [String] = []
    /// Categories of Wikimedia Commons: "Category:Old bridge".
    private(set) var categories: [String] = []
    /// Items of Wikidata, which may have a picture: "Q42".
    private(set) var items: [String] = []
    /// Pictures of Panoramax, by their UUIDs.
    private(set) var panoramax: [String] = []
    /// What Foursquare calls the venue that the place is.
    let venue: String?
    /// What Instagram calls the location that the place is.
    let location: String?

    /// From tags such as "image=File:Old bridge.jpg"; several values of one are separated by semicolons. Anything else is
    /// not understood: a picture of any other server has no known licence.
    /// - Parameter place: the id of the place, "foursquare/4b00…".
    init(tags: [String], of place: String = "") {
        let parts = place.split(at: "/", maxSplits: 1).map(String.init)
        let (network, id) = parts.count == 2 ? (parts[0], parts[1]) : ("", "")
        venue = network == "foursquare" && Self.isVenue(id) ? id : nil
        location = network == "instagram" && Self.isLocation(id) ? id : nil
        for tag in tags {
            let parts = tag.split(at: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            for value in parts[1].split(at: ";") { take(Self.trimmed(value), of: parts[0]) }
        }
        files = Array(files.prefix(Self.limits.files))
        categories = Array(categories.prefix(Self.limits.categories))
        items = Array(items.prefix(Self.limits.items))
        panoramax = Array(panoramax.prefix(Self.limits.panoramax))
    }

    /// The networks that know them.
    var networks: Set<String> {
        var networks: Set<String> = []
        if !files.isEmpty || !categories.isEmpty || !items.isEmpty { networks.insert("commons") }
        if !panoramax.isEmpty { networks.insert("panoramax") }
        if venue != nil { networks.insert("foursquare") }
        if location != nil { networks.insert("instagram") }
        return networks
    }

    private mutating func take(_ value: String, of key: Substring) {
        switch key {
        case "wikimedia_commons", "image":
            if let file = Self.title(value, in: "File") ?? Self.file(ofAddress: value) {
                Self.add(file, to: &files)
            } else if let category = Self.title(value, in: "Category") {
                Self.add(category, to: &categories)
            }
        case "wikidata": if Self.isItem(value) { Self.add(value, to: &items) }
        case "panoramax": if Self.isUUID(value) { Self.add(value, to: &panoramax) }
        default: break
        }
    }

    private static func add(_ name: String, to names: inout [String]) {
        if !names.contains(name) { names.append(name) }
    }

    /// The title of a page in a namespace, as MediaWiki writes it: "file:old_bridge.jpg" is "File:Old bridge.jpg".
    static func title(_ text: String, in namespace: String) -> String? {
        guard let (space, rest) = text.halves(at: ":"), space.lowercased() == namespace.lowercased() else { return nil }
        let name = trimmed(rest.split(at: "_").joined(separator: " ")[...])
        guard let first = name.first, name.utf8.count <= titleLimit,
            !name.unicodeScalars.contains(where: { "|#<>[]{}:".unicodeScalars.contains($0) || $0.value < 0x20 }),
            namespace != "File" || !name.holds("/")
        else { return nil }
        return "\(namespace):\(first.uppercased())\(name.dropFirst())"
    }

    /// The file that the address of its page, of its bytes or of its thumbnail leads to.
    private static func file(ofAddress address: String) -> String? {
        guard let url = URL(string: address), url.scheme == "https" || url.scheme == "http" else { return nil }
        let path = url.path(percentEncoded: false).split(at: "/").map { String($0) }
        switch url.host() {
        case "commons.wikimedia.org":
            return path.count == 2 && path[0] == "wiki" ? title(path[1], in: "File") : nil
        case "upload.wikimedia.org", "thumb.wikimedia.org":
            return bytes(path).flatMap { title("File:\($0)", in: "File") }
        default: return nil
        }
    }

    /// The name in "wikipedia/commons/a/ab/NAME" or "wikipedia/commons/thumb/a/ab/NAME/WIDTHpx-NAME".
    private static func bytes(_ path: [String]) -> String? {
        guard path.count >= 5, path[0] == "wikipedia", path[1] == "commons" else { return nil }
        if path[2] == "thumb" { return path.count == 7 ? path[5] : nil }
        return path.count == 5 ? path[4] : nil
    }

    private static func isItem(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst()
        return text.begins(with: "Q") && (1...12).contains(digits.count) && digits.allSatisfy { (48...57).contains($0) }
    }

    // They become parts of addresses.

    private static func isVenue(_ id: String) -> Bool {
        id.utf8.count == 24 && id.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    private static func isLocation(_ id: String) -> Bool {
        (1...20).contains(id.utf8.count) && id.utf8.allSatisfy { (48...57).contains($0) }
    }

    static func isUUID(_ text: String) -> Bool {
        text.utf8.count == 36 && text.utf8.allSatisfy { "0123456789abcdef-".utf8.contains($0) }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.trimmed)
    }
}
