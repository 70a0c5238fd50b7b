import EventLoops
import TestTools
import Testing
import WholeSystem

/// A few rounds on one system that starts with nothing, so that they can be played again without those before them.
struct KillRun {
    /// Rounds of a run: each kill doubles the time after which the supervisor starts a service again.
    static let length = 4

    /// A kill that happened, and who died: "pins", or "pins-2" of replicas.
    typealias Hit = (kill: PlannedKill, victim: String)

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
    func play() async throws -> [Hit] {
        let shelf = PictureShelf(from: RunningSystem.bundledData + "/postcards", to: folder.file("pictures"))
        var kills: [Hit] = []
        do {
            try await RunningSystem.run(data: folder.file("data"), pictures: shelf.path, plan: plan) { system in
                var journal = Journal()
                for number in rounds {
                    let kill = Deck(seed: seed).kill(round: number)
                    let game = Round(
                        number, seed: seed, kill: kill, system: system, plan: plan, shelf: shelf, blobs: blobs)
                    if let hit = try await play(game, &journal) { kills.append(hit) }
                }
                if let blobs {
                    try await system.sweep(blobs)
                    try await system.finish(folder.file("data"))
                }
                if let database = system.database { try await check(StoredRecords(database, folder), system) }
            }
            guard blobs != nil else { return kills }
            for difference in try await StoredState(data: folder.file("data")).differences() { keep(difference) }
        } catch {
            keep("\(error)")
        }
        return kills
    }

    /// Nil where a store has them.
    private var blobs: BlobFolder? {
        Deployment.ofTests == .replicas ? nil : BlobFolder(path: folder.file("data/photos/blobs"))
    }

    /// What replicas have stored is looked at while they run: what one service notifies another of may be on its way.
    private func check(_ records: StoredRecords, _ system: RunningSystem) async throws {
        var found = try await records.differences()
        let end = MonotonicTime.now + RunningSystem.patience
        while !found.isEmpty, MonotonicTime.now < end {
            try await system.supervision.pause(.milliseconds(200))
            found = try await records.differences()
        }
        for difference in found { keep(difference) }
    }

    /// One round and all that has to be true after it. Gives the planned kill if it happened.
    private func play(_ round: Round, _ journal: inout Journal) async throws -> Hit? {
        var round = round
        let system = round.system
        let deaths = system.supervision.deaths.count
        do {
            try await round.run(&journal)
            let isHit = plan.disarm()
            try await system.supervision.wait(forDeaths: deaths + (isHit ? 1 : 0), within: RunningSystem.patience)
            let victim = isHit ? system.supervision.deaths.last?.service : nil
            let end =
                victim.map { "\($0), process \(plan.victim)" }
                ?? "MISSED, \(plan.seen) such events when that was tried last"
            say("kills: round \(round.number): \(round.kill), \(end)")
            for difference in try await system.differences(from: journal) { report(round, difference) }
            let ended = system.supervision.deaths.dropFirst(deaths)
            if ended.count != (isHit ? 1 : 0) || ended.contains(where: { $0.reason?.hasPrefix("signal 9") != true }) {
                report(round, "services ended: \(ended.map { "\($0.service ?? "") \($0.reason ?? "")" })")
            }
            return victim.map { (round.kill, $0) }
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
