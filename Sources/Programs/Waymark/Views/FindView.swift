import Bytes
import Contracts
import Terminal

/// The answer of `find` as lines for a person.
struct FindView {
    let response: FindResponse
    let sink: TextSink

    var lines: [String] {
        if !response.unresolvedLink.isEmpty {
            return [
                "Only \(response.unresolvedLink) knows where this link leads, and it is not asked: open it, and copy "
                    + "the long link or the coordinates."
            ]
        }
        guard !response.results.isEmpty else {
            return ["Nothing of this name is known here; look at the spelling, or import its area."]
        }
        // Without --near no row has a distance.
        let hasDistance = response.results.contains { $0.distanceM != nil }
        let hasHours = response.results.contains { $0.hours != nil }
        var table = Table(
            columns: (hasDistance ? [.init(title: "DISTANCE", isRight: true)] : []) + [
                .init(title: "NAME", minimum: 14, style: .bold), .init(title: "KIND"), .init(title: "IN", minimum: 12),
                .init(title: "POSITION"), .init(title: "ID", rank: 1, style: .faint),
            ] + (hasHours ? [.init(title: "HOURS", minimum: 8)] : []))
        table.rows = response.results.map { result in
            (hasDistance ? [.init(PlaceTable.distance(result.distanceM))] : []) + [
                .init(result.name), .init(Self.kind(result)), .init(result.context),
                .init(PinTable.position(result.position)), .init(result.placeId),
            ] + (hasHours ? [.init(HoursText.text(result.hours))] : [])
        }
        return table.lines(on: sink) + [
            "", Style.faint.paint(SourceLine.text(response.results.map(\.attribution)), on: sink),
        ]
    }

    /// "cafe" for a place, with "?" where letters were taken for typing mistakes.
    private static func kind(_ result: FindResult) -> String {
        let kind =
            switch result.kind {
            case .coordinates: "position"
            case .country: "country"
            case .region: "region"
            case .town: "town"
            case .address: "address"
            case .street: "street"
            case .postcode: "postcode"
            case .intersection: "crossing"
            default: category(result.categories.first ?? "")
            }
        return result.changedLetters == 0 ? kind : "\(kind)?"
    }

    /// "fast food" of "amenity/fast_food".
    private static func category(_ path: String) -> String {
        path.split(at: "/").last?.replacing(each: "_", with: " ") ?? "place"
    }
}

/// Whom results are from, as has to be shown with them.
enum SourceLine {
    private static let separator: Unicode.Scalar = ";"

    /// Each once, in the order in which they came.
    static func text(_ attributions: [String]) -> String {
        var seen: [String] = []
        for source in attributions.flatMap({ $0.split(at: separator) }) {
            let name = String(source.trimmed)
            if !seen.contains(name) { seen.append(name) }
        }
        return seen.joined(separator: "\(separator) ").printable
    }
}
