/// Whose album it is: "pin/<id of the pin>" or "place/<id of the place>".
enum AlbumSubject: Hashable, Sendable {
    case pin(String)
    case place(String)

    /// The longest id of a pin, in bytes.
    static let pinLimit = 64
    /// The longest id of a place, in bytes.
    static let placeLimit = 1_100

    /// Nil when it is neither.
    init?(_ text: String) {
        guard let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let id = String(text[text.index(after: slash)...])
        switch text[..<slash] {
        case "pin" where Self.isPinID(id): self = .pin(id)
        case "place" where Self.isPlaceID(id): self = .place(id)
        default: return nil
        }
    }

    var text: String {
        switch self {
        case .pin(let id): "pin/\(id)"
        case .place(let id): "place/\(id)"
        }
    }

    var isPin: Bool { if case .pin = self { true } else { false } }

    /// Letters, digits and hyphens.
    static func isPinID(_ id: String) -> Bool {
        (1...pinLimit).contains(id.utf8.count) && id.utf8.allSatisfy { Self.pinBytes.contains($0) }
    }

    static func isPlaceID(_ id: String) -> Bool {
        (1...placeLimit).contains(id.utf8.count)
            && !id.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    private static let pinBytes = Set("-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
}
