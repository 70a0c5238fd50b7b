/// How often each combination of service, phase and side was hit.
struct KillTable {
    private var hits: [Deck.Card: Int] = [:]

    mutating func count(_ kill: PlannedKill) {
        let card = Deck.Card(service: kill.moment.service, phase: kill.moment.phase, side: kill.side)
        hits[card, default: 0] += 1
    }

    /// What was never hit.
    var missing: [Deck.Card] { Deck.cards.filter { hits[$0] == nil } }

    /// A line for each service and phase.
    var text: String {
        var lines = [Self.line("service", "phase", "before", "after")]
        for card in Deck.cards where card.side == .before {
            let after = Deck.Card(service: card.service, phase: card.phase, side: .after)
            lines.append(Self.line(card.service, card.phase.rawValue, "\(hits[card] ?? 0)", "\(hits[after] ?? 0)"))
        }
        return lines.joined(separator: "\n")
    }

    private static func line(_ service: String, _ phase: String, _ before: String, _ after: String) -> String {
        "kills: " + pad(service, 16) + pad(phase, 14) + pad(before, 8) + after
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
