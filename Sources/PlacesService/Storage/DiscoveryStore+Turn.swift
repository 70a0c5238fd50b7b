import Daemon
import Storage

extension DiscoveryStore {
    /// Waits for the turn of a request to a network, or another server, by its name. Gives why it may not go, or else
    /// what `NetworkStanding.succeeded` wants to know when it is answered.
    func turn(_ name: String, _ rules: NetworkRules, _ clock: WallClock) async throws -> Result<Int64, AskFailure> {
        let now = clock.unixMilliseconds
        let (permit, closing) = try await database.write { transaction throws(SQLError) in
            var standing = try transaction.standing(name)
            let permit = standing.permit(at: now, rules)
            try transaction.put(standing, of: name)
            return (permit, standing.closedUntil)
        }
        switch permit {
        case .refused(let failure): return .failure(failure)
        case .go(let wait):
            guard wait > 0 else { return .success(closing) }
            try await Task.sleep(for: .milliseconds(wait))
            // The network may have asked to be left alone meanwhile.
            let later = clock.unixMilliseconds
            let refusal = try await database.read { transaction throws(SQLError) in
                try transaction.standing(name).refusal(since: closing, at: later)
            }
            return refusal.map { .failure($0) } ?? .success(closing)
        }
    }
}
