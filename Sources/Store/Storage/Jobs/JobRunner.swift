internal import EventLoops
internal import Synchronization

/// Runs the jobs of a store: of each kind a few at once, those with the earliest due times; only one while the kind's
/// peer is away. Replicas share the jobs: one runs each, and those of one that dies are run by the others.
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
            for kind in kinds { group.addTask { await work(kind) } }
        }
        // Also when this task was cancelled, as it was.
        await Task { [database] in
            _ = try? await database.write(.statements) { [owner = database.replica] transaction throws(SQLError) in
                try transaction.releaseJobs(of: owner)
            }
            await database.part()
        }.value
    }

    /// Looks for jobs of a kind while a worker is free, and runs each in a task of its own. One looks for all: if each
    /// worker did, all would ask whenever one job is requested.
    private func work(_ kind: JobKind) async {
        let (breaker, running) = (PeerBreaker(kind.backoff), Running())
        await withDiscardingTaskGroup { group in
            await database.notices.watching(JobKind.subject(kind.name)) { bell in
                func start(_ leases: [JobLease]) {
                    let wasAway = breaker.isAway
                    for lease in leases {
                        running.begin()
                        group.addTask {
                            await attempt(lease, kind, breaker)
                            running.end()
                            // The others that wait for the peer need not wait longer.
                            if wasAway, !breaker.isAway { bell.ring() }
                        }
                    }
                }
                while !Task.isCancelled {
                    let (count, ended) = (bell.count, running.bell.count)
                    let free = kind.workers - running.count
                    if free <= 0 {
                        await running.bell.wait(after: ended)
                        continue
                    }
                    // Until the peer may be tried again, a request of a job is no reason to look for one.
                    if let left = breaker.left(at: now()) {
                        await bell.wait(after: count, timeout: left)
                        continue
                    }
                    do throws(SQLError) {
                        let wait = try await look(kind, breaker, free, start)
                        await bell.wait(after: count, timeout: wait)
                    } catch {
                        await bell.wait(after: count, timeout: Self.pause)
                    }
                }
            }
        }
    }

    /// Starts jobs that are due, at most `free`; returns how long until there may be another.
    private func look(
        _ kind: JobKind, _ breaker: PeerBreaker, _ free: Int, _ start: ([JobLease]) -> Void
    ) async throws(SQLError) -> Duration {
        if !breaker.isAway {
            let leases = try await claim(kind, free)
            start(leases)
            if leases.count == free { return .zero }
        }
        let wait = try await sleep(kind)
        guard wait <= .zero, breaker.isAway else { return wait }
        if let held = breaker.wait(at: now()) { return held }
        start(try await claim(kind, 1))
        return .zero
    }

    /// The jobs with the earliest due times; none when another replica was faster.
    private func claim(_ kind: JobKind, _ limit: Int) async throws(SQLError) -> [JobLease] {
        // The lease counts from when it is taken, not from when the writer was asked for.
        try await database.write(.statement) { [now, owner = database.replica] transaction throws(SQLError) in
            try transaction.claimJobs(kind.name, kind.times(now: now()), for: owner, atMost: limit)
        }
    }

    /// How long until a job of the kind is due.
    private func sleep(_ kind: JobKind) async throws(SQLError) -> Duration {
        let (times, owner) = (kind.times(now: now()), database.replica)
        let due = try await database.read(.statement) { transaction throws(SQLError) in
            try transaction.nextJobTime(kind.name, times, for: owner)
        }
        guard let due else { return longestSleep }
        return min(longestSleep, .milliseconds(due.addingClamped(-times.now)))
    }

    private func attempt(_ lease: JobLease, _ kind: JobKind, _ breaker: PeerBreaker) async {
        do {
            let end: Void? = try await withTimeLimit(kind.timeout) { try await kind.body(lease) }
            if end == nil { throw JobTimeout(timeout: kind.timeout) }
            breaker.record(isAway: false, at: now())
        } catch {
            guard !Task.isCancelled else { return }
            breaker.record(isAway: kind.isPeerAway(error), at: now())
            let verdict = kind.judge(error, lease)
            report(lease, verdict, error)
            await putBack(lease, kind, verdict, error)
            await kind.tellOthers(lease, error)
        }
    }

    /// A store that fails here too, as its disk does, is tried again: else the job would wait until its lease expires,
    /// though the disk is well again.
    private func putBack(_ lease: JobLease, _ kind: JobKind, _ verdict: JobKind.Verdict, _ error: any Error) async {
        let reason = String("\(error)".prefix(500))
        let end = ContinuousClock.now + kind.timeout
        var backoff = Backoff(first: .milliseconds(200), longest: .seconds(5))
        var random = SystemRandomNumberGenerator()
        while !Task.isCancelled {
            let time = now()
            let retryTime = time + kind.delay(after: error, tries: lease.tries, jitter: .random(in: 0...1))
            do throws(SQLError) {
                return try await database.write { transaction throws(SQLError) in
                    let isHeld =
                        switch verdict {
                        case .again: try transaction.retry(lease, at: retryTime, now: time, reason: reason)
                        case .giveUp: try transaction.complete(lease, at: time)
                        }
                    if isHeld { try kind.settle(transaction, lease, verdict, error) }
                }
            } catch {
                guard error.code != .closed, .now < end else { return }
            }
            let pause = backoff.next(using: &random)
            _ = try? await Task.sleep(for: pause)
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

/// The jobs of a kind that run now.
private final class Running: Sendable {
    private let number = Atomic(0)
    /// Rung when one has ended.
    let bell = Bell()

    var count: Int { number.load(ordering: .acquiring) }

    func begin() { number.add(1, ordering: .acquiringAndReleasing) }

    func end() {
        number.subtract(1, ordering: .acquiringAndReleasing)
        bell.ring()
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
