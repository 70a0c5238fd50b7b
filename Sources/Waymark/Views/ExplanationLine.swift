import Contracts
import Terminal
import Wire

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
