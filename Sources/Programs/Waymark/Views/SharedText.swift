import Bytes
import Contracts
import Terminal

/// A pin or a list that is shared with one, in lines.
enum SharedText {
    private static let maximumPlaces = 20

    static func lines(_ answer: GetSharedWithMeResponse) -> [String] {
        guard let content = answer.content, let shared = answer.shared else { return [] }
        var lines = ["\(content.name), shared by \(shared.ownerName)"]
        if let list = content.list {
            lines += list.pins.map { "  \($0.name)  \(position($0.position))" }
        } else {
            lines.append(position(content.position))
            if !content.visitedDate.isEmpty { lines.append("visited \(content.visitedDate)") }
            if !content.note.isEmpty { lines += content.note.split(at: "\n").map { "| \($0)" } }
            lines += content.places.prefix(maximumPlaces).map { "  \($0.name)  \(Int($0.distanceM.rounded())) m" }
            let places = Quantity.count(content.placeCount, "place")
            lines.append("\(places), \(Quantity.count(content.photos.count, "photo"))")
        }
        return lines.map(\.printable)
    }

    private static func position(_ position: Coordinate?) -> String {
        "\(position?.latitude ?? 0), \(position?.longitude ?? 0)"
    }
}
