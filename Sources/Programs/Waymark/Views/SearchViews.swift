import Contracts
import Terminal
import Wire

/// The answer of `nearby` as lines for a person.
struct NearbyView {
    let request: NearbyRequest
    let response: NearbyResponse
    let sink: TextSink

    var lines: [String] {
        let explanation = ExplanationLine.lines(response.explanation, on: sink)
        guard !response.places.isEmpty else { return emptyLines + explanation }
        let counts = response.openCounts.map { [Style.faint.paint(HoursText.counts($0), on: sink)] } ?? []
        return PlaceTable.lines(response.places, on: sink) + ["", Style.faint.paint(footer, on: sink)] + counts
            + explanation
    }

    private var radius: String { Quantity.distance(request.radiusM ?? 1000) }

    private var footer: String {
        let shown = Quantity.count(response.places.count)
        if request.anyDistance { return "the nearest \(Quantity.count(response.places.count, "place"))" }
        guard response.truncated else { return "\(Quantity.count(response.places.count, "place")) within \(radius)" }
        let all = response.count.map { Quantity.count($0, "place") } ?? "more"
        return "the nearest \(shown) of \(all) within \(radius); --all or --limit shows more"
    }

    private var emptyLines: [String] {
        guard let nearest = response.nearest else { return [reason] }
        let distance = PlaceTable.distance(nearest.distanceM)
        return ["\(reason) The nearest is \(nearest.name.printable), \(distance) away (\(nearest.id.printable))."]
    }

    private var reason: String {
        switch response.emptyReason {
        case .noData:
            "Nothing is stored for these networks and datasets; waymark import FILE --dataset NAME adds places."
        case .filter: "There are places within \(radius), but none passes the filter."
        case .radius: "There is no place within \(radius)."
        case .lastPage: "There are no more places."
        default: "There is no such place."
        }
    }
}

/// The answer of `within` as lines for a person.
struct WithinView {
    let response: WithinResponse
    let sink: TextSink

    var lines: [String] {
        let explanation = ExplanationLine.lines(response.explanation, on: sink)
        guard !response.places.isEmpty else { return ["There is no such place within the box."] + explanation }
        let counts = response.openCounts.map { [Style.faint.paint(HoursText.counts($0), on: sink)] } ?? []
        return PlaceTable.lines(response.places, on: sink) + ["", Style.faint.paint(footer, on: sink)] + counts
            + explanation
    }

    private var footer: String {
        let shown = Quantity.count(response.places.count, "place")
        guard response.truncated else { return "\(shown) within the box" }
        let all = response.count.map { " of \(Quantity.count($0))" } ?? ""
        return "\(shown)\(all) within the box; --all or --limit shows more"
    }
}

/// What a search did, as a line for a person.
enum ExplanationLine {
    static func lines(_ explanation: SearchExplanation?, on sink: TextSink) -> [String] {
        guard let explanation else { return [] }
        let duration = explanation.duration?.duration.map(Quantity.duration) ?? "no time"
        let parts = [
            "searched \(Quantity.count(explanation.indexCount)) indexes in \(duration)",
            "\(Quantity.count(explanation.visitedCount, "node")) visited",
            "\(Quantity.count(explanation.testedCount, "place")) tested",
            "\(Quantity.count(explanation.filteredCount)) filtered out",
        ]
        return [Style.faint.paint(parts.joined(separator: ", "), on: sink)]
    }
}
