package import EventLoops

/// Runs the jobs of a store: for each kind a few workers, each of which takes the job with the earliest due time, runs
/// it and takes the next.
package struct JobRunner: Sendable {
    /// Notified when a run failed.
    package typealias Report = @Sendable (JobLease, JobKind.Verdict, any Error) -> Void

    private let database: Database
    private let kinds: [JobKind]
    private let bell: Bell
    private let now: @Sendable () -> Int64
    private let report: Report

    /// The longest sleep: by then a change of the clock to a later time is noticed.
    private static let longestSleep = Duration.seconds(30)
    /// How long to wait when the store itself fails.
    private static let pause = Duration.seconds(1)

    /// `bell` is rung whenever a job was requested; `now` returns milliseconds since 1970.
    package init(
        _ database: Database, _ kinds: [JobKind], bell: Bell, now: @escaping @Sendable () -> Int64,
        report: @escaping Report
    ) {
        self.database = database
        self.kinds = kinds
        self.bell = bell
        self.now = now
        self.report = report
    }

    /// Runs until the task is cancelled. Jobs running then are cancelled, and run again after the next start.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for kind in kinds {
                for _ in 0..<kind.workers { group.addTask { await work(kind) } }
            }
        }
    }

    private func work(_ kind: JobKind) async {
        while !Task.isCancelled {
            let count = bell.count
            do throws(SQLError) {
                let wait = try await sleep(kind)
                if wait > .zero {
                    await bell.wait(after: count, timeout: wait)
                } else if let lease = try await claim(kind) {
                    await attempt(lease, kind)
                }
            } catch {
                await bell.wait(after: count, timeout: Self.pause)
            }
        }
    }

    /// The job with the earliest due time; nil when another worker was faster.
    private func claim(_ kind: JobKind) async throws(SQLError) -> JobLease? {
        let times = kind.times(now: now())
        return try await database.write { transaction throws(SQLError) in
            try transaction.claimJob(kind.name, times)
        }
    }

    /// How long until a job of the kind is due. Checking costs a read; only taking a job costs a write.
    private func sleep(_ kind: JobKind) async throws(SQLError) -> Duration {
        let times = kind.times(now: now())
        let due = try await database.read { transaction throws(SQLError) in
            try transaction.nextJobTime(kind.name, times)
        }
        guard let due else { return Self.longestSleep }
        return min(Self.longestSleep, .milliseconds(due - times.now))
    }

    private func attempt(_ lease: JobLease, _ kind: JobKind) async {
        do {
            let end: Void? = try await withTimeLimit(kind.timeout) { try await kind.body(lease) }
            if end == nil { throw JobTimeout(timeout: kind.timeout) }
        } catch {
            guard !Task.isCancelled else { return }
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
        await kind.settled(lease)
        bell.ring()
    }
}

/// A run took longer than its kind allows.
package struct JobTimeout: Error, CustomStringConvertible {
    let timeout: Duration

    package var description: String { "it took longer than \(timeout)" }
}
