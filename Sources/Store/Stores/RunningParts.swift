package import Daemon
package import RPC
package import Storage

/// The parts of a service while it runs: their jobs, their upkeep, and what each does by itself.
package struct RunningParts: Sendable {
    package let services: [any RPCService]
    private let parts: [any Part]
    private let tasks: Task<Void, Never>

    /// Begins the parts one after the other, continues all work that was requested, and returns when calls can come.
    package init(
        _ parts: [any Part], in database: Database, clock: WallClock = .system, log: Log? = nil
    ) async throws {
        for part in parts { try await part.begin() }
        let runner = JobRunner(database, parts.flatMap(\.jobs), now: { clock.unixMilliseconds }) {
            Self.report(log, $0, $1, $2)
        }
        let upkeep = Upkeep(of: parts, in: database, clock: clock)
        self.parts = parts
        services = parts.flatMap(\.services)
        tasks = Task {
            await withDiscardingTaskGroup { group in
                group.addTask { await runner.run() }
                group.addTask { await upkeep.run() }
                for part in parts { group.addTask { await part.run() } }
            }
        }
    }

    /// Cancels running work, which continues after the next start, and releases what the parts hold.
    package func stop() async {
        tasks.cancel()
        await tasks.value
        for part in parts.reversed() { await part.close() }
    }

    private static func report(_ log: Log?, _ lease: JobLease, _ verdict: JobKind.Verdict, _ error: any Error) {
        let values: KeyValuePairs<String, String> = [
            "job": lease.kind, "key": lease.key, "tries": "\(lease.tries + 1)", "reason": "\(error)",
        ]
        switch verdict {
        case .again: log?.info("a job failed and is run again", values)
        case .giveUp: log?.warning("a job was given up", values)
        }
    }
}
