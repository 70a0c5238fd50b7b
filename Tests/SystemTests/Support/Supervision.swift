import EventLoops
import FoundationEssentials
import Synchronization
import WholeSystem

/// What `waymark up --json`, or what runs the replicas, has said so far.
final class Supervision: Sendable {
    /// One line.
    struct Event: Decodable, Sendable {
        let event: String
        let gateway: String?
        let database: String?
        let pids: [String: Int32]?
        let service: String?
        let reason: String?
        let pid: Int32?
        let attempt: Int?
        let delayMilliseconds: Int?
    }

    private struct State {
        var deaths: [Event] = []
        var returns = 0
        var pids: [String: Int32] = [:]
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let bell = Bell()

    /// - Parameter pids: those of the services that run.
    init(pids: [String: Int32]) { state.withLock { $0.pids = pids } }

    func take(line: String) throws {
        let event = try JSONDecoder().decode(Event.self, from: Data(line.utf8))
        state.withLock { state in
            switch event.event {
            case "ended": state.deaths.append(event)
            case "restarted":
                state.returns += 1
                if let service = event.service { state.pids[service] = event.pid }
            default: break
            }
        }
        bell.ring()
    }

    /// There are no more lines.
    func end() {
        state.withLock { $0.hasEnded = true }
        bell.ring()
    }

    /// The services that have ended so far, and why.
    var deaths: [Event] { state.withLock { $0.deaths } }

    /// The number of the photo service's process, or of its last one. Only once it was restarted it has its full name.
    var photoService: Int32? { state.withLock { $0.pids["photo-service"] ?? $0.pids["photos"] } }

    /// The processes of all services.
    var processes: [Int32] { state.withLock { Array($0.pids.values) } }

    /// Returns when so many services have ended, and all run again.
    func wait(forDeaths count: Int, within limit: Duration) async throws {
        try await WholeSystem.within(limit, { "\(count) services have not ended and come back" }) {
            try await self.wait(forDeaths: count)
        }
    }

    private func wait(forDeaths count: Int) async throws {
        while true {
            try Task.checkCancellation()
            let rung = bell.count
            let (isDone, hasEnded) = state.withLock { state in
                (state.deaths.count >= count && state.returns == state.deaths.count, state.hasEnded)
            }
            if isDone { return }
            if hasEnded { throw RunFailure.upHasEnded }
            await bell.wait(after: rung)
        }
    }

    /// Waits for the next line, and for `most` at the longest: what comes between two tries of a call. Throws when the
    /// task is cancelled, so that nothing is tried for ever.
    func pause(_ most: Duration) async throws {
        try Task.checkCancellation()
        await bell.wait(after: bell.count, timeout: most)
    }
}
