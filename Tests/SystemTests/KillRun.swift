import TestTools
import Testing

/// A few rounds on one system that starts with nothing, so that they can be played again without those before them.
struct KillRun {
    /// Rounds of a run: each kill doubles the time after which the supervisor starts a service again.
    static let length = 4

    let seed: UInt64
    let rounds: Range<Int>
    private let folder: RunFolder
    private let plan: KillPlanFile

    init(seed: UInt64, rounds: Range<Int>) throws {
        self.seed = seed
        self.rounds = rounds
        folder = RunFolder()
        plan = try KillPlanFile(path: folder.file("plan"))
    }

    /// Plays the rounds; gives the kills that happened.
    func play() async throws -> [PlannedKill] {
        let shelf = PictureShelf(from: RunningSystem.bundledData + "/postcards", to: folder.file("pictures"))
        var kills: [PlannedKill] = []
        do {
            try await RunningSystem.run(data: folder.file("data"), pictures: shelf.path, plan: plan) { system in
                var journal = Journal()
                for number in rounds {
                    let kill = Deck(seed: seed).kill(round: number)
                    let game = Round(
                        number, seed: seed, kill: kill, system: system, plan: plan, shelf: shelf, blobs: blobs)
                    if try await play(game, &journal) { kills.append(kill) }
                }
                try await system.sweep(blobs)
            }
            for difference in try await StoredState(data: folder.file("data")).differences() { keep(difference) }
        } catch {
            keep("\(error)")
        }
        return kills
    }

    private var blobs: BlobFolder { BlobFolder(path: folder.file("data/photos/blobs")) }

    /// One round and all that has to be true after it. Says whether the planned kill happened.
    private func play(_ round: Round, _ journal: inout Journal) async throws -> Bool {
        var round = round
        let system = round.system
        let deaths = system.supervision.deaths.count
        do {
            try await round.run(&journal)
            let isHit = plan.disarm()
            try await system.supervision.wait(forDeaths: deaths + (isHit ? 1 : 0), within: Round.patience)
            let end = isHit ? "process \(plan.victim)" : "MISSED, \(plan.seen) such events when that was tried last"
            say("kills: round \(round.number): \(round.kill), \(end)")
            for difference in try await system.differences(from: journal) { report(round, difference) }
            let ended = system.supervision.deaths.dropFirst(deaths)
            if ended.count != (isHit ? 1 : 0) || ended.contains(where: { $0.reason?.hasPrefix("signal 9") != true }) {
                report(round, "services ended: \(ended.map { "\($0.service ?? "") \($0.reason ?? "")" })")
            }
            return isHit
        } catch {
            report(round, "\(error)")
            throw error
        }
    }

    private func report(_ round: Round, _ what: String) {
        let again =
            "WAYMARK_KILL_SEED=\(seed) WAYMARK_KILL_FIRST=\(rounds.lowerBound) WAYMARK_KILL_ROUNDS=\(rounds.count)"
        Issue.record("round \(round.number) (\(again); killed: \(round.kill)): \(what)")
        folder.isKept = true
    }

    private func keep(_ what: String) {
        Issue.record("seed \(seed), rounds \(rounds): \(what); data and logs are in \(folder.path)")
        folder.isKept = true
    }
}
