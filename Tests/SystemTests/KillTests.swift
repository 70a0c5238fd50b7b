import Testing

@Suite("P1, P11, P24, P36 A service that is killed at any moment")
struct KillTests {
    @Test("takes back nothing that was acknowledged, and all ends final, whole and counted by itself")
    func rounds() async throws {
        let settings = KillSettings()
        say("kills: WAYMARK_KILL_SEED=\(settings.seed), rounds \(settings.rounds)")
        var table = KillTable()
        var victims: Set<Substring> = []
        for rounds in settings.runs {
            let run = try KillRun(seed: settings.seed, rounds: rounds)
            for hit in try await run.play() {
                table.count(hit.kill)
                victims.insert(hit.victim.suffix(2))
            }
        }
        say(table.text)
        let isWhole = table.missing.isEmpty || !settings.coversAll
        let isOfBoth = Deployment.ofTests == .oneMachine || victims == ["-1", "-2"] || !settings.coversAll
        #expect(isOfBoth, "the replicas killed were \(victims)")
        #expect(isWhole, "never hit: \(table.missing.map(\.description))")
    }

    @Test("is chosen by the seed alone, each combination once before one comes again")
    func deals() {
        let deck = Deck(seed: 7)
        let kills = (0..<Deck.cards.count).map { deck.kill(round: $0) }
        let cards = Set(kills.map { Deck.Card(service: $0.moment.service, phase: $0.moment.phase, side: $0.side) })
        #expect(cards == Set(Deck.cards))
        #expect(kills.map(\.description) == (0..<Deck.cards.count).map { Deck(seed: 7).kill(round: $0).description })
        #expect(kills.map(\.description) != (0..<Deck.cards.count).map { Deck(seed: 8).kill(round: $0).description })
    }
}
