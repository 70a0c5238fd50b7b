import TestTools

/// What happens in the world of a seed.
struct Plan: Sendable {
    let seed: UInt64
    /// How long changes are made.
    let length: Duration
    let clients: Int
    /// How many accounts there are beside the profile of an open gateway. The clients take turns with them.
    let accounts: Int
    /// Each with its number, by which it can be left out.
    let numbered: [(number: Int, fault: Fault)]

    var faults: [Fault] { numbered.map(\.fault) }

    /// - Parameter without: numbers of faults that are left out.
    init(seed: UInt64, seconds: Int?, clients: Int?, without: Set<Int>) {
        var random = SeededGenerator(seed: seed)
        let drawn = Int.random(in: 20...300, using: &random)
        length = .seconds(seconds ?? drawn)
        let drawnClients = Int.random(in: 1...4, using: &random)
        self.clients = clients ?? drawnClients
        accounts = Int.random(in: 0...2, using: &random)
        numbered = Fault.drawn(&random, within: .seconds(drawn)).enumerated().map { ($0, $1) }
            .filter { !without.contains($0.0) }
        self.seed = seed
    }
}
