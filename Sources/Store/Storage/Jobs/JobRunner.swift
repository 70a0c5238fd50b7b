internal import EventLoops

/// Runs the jobs of a store: for each kind a few workers, each of which takes the job with the earliest due time, runs
/// it and takes the next; all but one wait while the kind's peer is away. Replicas share the jobs: one runs each, and
/// those of one that dies are run by the others.
package struct JobRunner: Sendable {
    /// Notified when a run failed.
    package typealias Report = @Sendable (JobLease, JobKind.Verdict, any Error) -> Void

    private let database: Database
    private let kinds: [JobKind]
    private let now: @Sendable () -> Int64
    private let report: Report
    /// The longest sleep: by then a change of the clock to a later time is noticed, and in a shared store a change of
    /// which no notice came.
    private var longestSleep: Duration { database.isShared ? .seconds(1) : .seconds(30) }
    /// How long others take this replica for alive without hearing of it.
    package static let life = Duration.seconds(20)
    /// How long to wait when the store itself fails.
    private static let pause = Duration.seconds(1)

    /// `now` returns milliseconds since 1970.
    package init(
        _ database: Database, _ kinds: [JobKind], now: @escaping @Sendable () -> Int64, report: @escaping Report
    ) {
        self.database = database
        self.kinds = kinds
        self.now = now
        self.report = report
    }

    /// Runs until the task is cancelled. Jobs running then are cancelled, and run again elsewhere, or after the next
    /// start.
    package func run() async {
        if database.isShared { await keepAlive() }
        await withDiscardingTaskGroup { group in
            if database.isShared { group.addTask { await stayAlive() } }
            for kind in kinds {
                let breaker = PeerBreaker(kind.backoff)
                for _ in 0..<kind.workers { group.addTask { await work(kind, breaker) } }
            }
        }
        // Also when this task was cancelled, as it was.
        await Task { [database] in
            _ = try? await database.write(.statements) { [owner = database.replica] transaction throws(SQLError) in
                try transaction.releaseJobs(of: owner)
            }
            await database.part()
        }.value
    }

    private func work(_ kind: JobKind, _ breaker: PeerBreaker) async {
        await database.notices.watching(JobKind.subject(kind.name)) { bell in
            while !Task.isCancelled {
                let count = bell.count
                do throws(SQLError) {
                    var wait = try await sleep(kind)
                    if wait <= .zero, let held = breaker.wait(at: now()) { wait = held }
                    if wait > .zero {
                        await bell.wait(after: count, timeout: wait)
                    } else if let lease = try await claim(kind) {
                        await attempt(lease, kind, breaker)
                    }
                } catch {
                    await bell.wait(after: count, timeout: Self.pause)
                }
            }
        }
    }

    /// The job with the earliest due time; nil when another worker was faster.
    private func claim(_ kind: JobKind) async throws(SQLError) -> JobLease? {
        // The lease counts from when it is taken, not from when the writer was asked for.
        try await database.write(.statements) { [now, owner = database.replica] transaction throws(SQLError) in
            try transaction.claimJob(kind.name, kind.times(now: now()), for: owner)
        }
    }

    /// How long until a job of the kind is due. Checking costs a read; only taking a job costs a write.
    private func sleep(_ kind: JobKind) async throws(SQLError) -> Duration {
        let (times, owner) = (kind.times(now: now()), database.replica)
        let due = try await database.read { transaction throws(SQLError) in
            try transaction.nextJobTime(kind.name, times, for: owner)
        }
        guard let due else { return longestSleep }
        return min(longestSleep, .milliseconds(due.addingClamped(-times.now)))
    }

    private func attempt(_ lease: JobLease, _ kind: JobKind, _ breaker: PeerBreaker) async {
        do {
            let end: Void? = try await withTimeLimit(kind.timeout) { try await kind.body(lease) }
            if end == nil { throw JobTimeout(timeout: kind.timeout) }
            breaker.note(isAway: false, at: now())
        } catch {
            guard !Task.isCancelled else { return }
            breaker.note(isAway: kind.isPeerAway(error), at: now())
            let verdict = kind.judge(error, lease)
            report(lease, verdict, error)
            await putBack(lease, kind, verdict, error)
        }
    }

    /// If the store fails here too, the lease expires and the job is run again.
    private func putBack(_ lease: JobLease, _ kind: JobKind, _ verdict: JobKind.Verdict, _ error: any Error) async {
        let time = now()
        let retryTime = time + kind.delay(after: error, tries: lease.tries, jitter: .random(in: 0...1))
        let reason = String("\(error)".prefix(500))
        _ = try? await database.write { transaction throws(SQLError) in
            let isHeld =
                switch verdict {
                case .again: try transaction.retry(lease, at: retryTime, now: time, reason: reason)
                case .giveUp: try transaction.complete(lease, at: time)
                }
            if isHeld { try kind.settle(transaction, lease, verdict, error) }
        }
    }

    private func stayAlive() async {
        while (try? await Task.sleep(for: Self.life / 4)) != nil { await keepAlive() }
    }

    private func keepAlive() async {
        let (replica, end) = (database.replica, now() + Self.life.wholeMilliseconds)
        _ = try? await database.write(.statements) { transaction throws(SQLError) in
            try transaction.keepAlive(replica, until: end)
        }
    }
}

/// A run took longer than its kind allows.
package struct JobTimeout: Error, CustomStringConvertible {
    let timeout: Duration

    package var description: String { "it took longer than \(timeout)" }
}

extension Database {
    /// Releases the leases that an earlier life of this replica held: right after opening, before a runner runs.
    package func recoverJobs(at time: Int64) async throws(SQLError) {
        let owner = replica
        try await write(.statements) { transaction throws(SQLError) in
            try transaction.recoverJobs(of: owner, at: time)
        }
    }
}
