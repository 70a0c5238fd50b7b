import Contracts
import Terminal

/// The answer of `nearby` as lines for a person.
struct NearbyView {
    let request: NearbyRequest
    let response: NearbyResponse
    let sink: TextSink

    var lines: [String] {
        let told = ExplanationLine.lines(response.explanation, on: sink)
        guard !response.places.isEmpty else { return emptyLines + told }
        return PlaceTable.lines(response.places, on: sink) + ["", Style.faint.paint(footer, on: sink)] + told
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
