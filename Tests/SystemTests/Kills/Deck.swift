import TestTools

/// Deals the kills: one a round, each combination of service, phase and side once before any comes again.
struct Deck {
    /// What has to be hit.
    struct Card: Hashable, CustomStringConvertible {
        let service: String
        let phase: Moment.Phase
        let side: PlannedKill.Side

        var description: String { "\(service), \(side) \(phase.rawValue)" }
    }

    static let cards: [Card] = {
        var cards: [Card] = []
        for moment in Moment.all {
            for side in PlannedKill.Side.allCases {
                let card = Card(service: moment.service, phase: moment.phase, side: side)
                if !cards.contains(card) { cards.append(card) }
            }
        }
        return cards
    }()

    let seed: UInt64

    /// The kill of a round, counted from 0. The same seed gives the same kills.
    func kill(round: Int) -> PlannedKill {
        let (deal, position) = round.quotientAndRemainder(dividingBy: Self.cards.count)
        var dealer = SeededGenerator(seed: seed &+ UInt64(deal))
        let card = Self.cards.shuffled(using: &dealer)[position]
        var random = Self.generator(seed: seed, round: round)
        let moments = Moment.all.filter { $0.service == card.service && $0.phase == card.phase }
        let moment = random.one(of: moments)
        return PlannedKill(moment, nth: .random(in: 1...moment.most, using: &random), card.side)
    }

    /// Random numbers of a round that are the same whichever rounds were before it.
    static func generator(seed: UInt64, round: Int) -> SeededGenerator {
        var seeds = SeededGenerator(seed: seed &+ UInt64(round) &* 0x1_0000)
        return SeededGenerator(seed: seeds.next())
    }
}
