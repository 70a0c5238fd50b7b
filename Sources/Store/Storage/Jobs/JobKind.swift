internal import EventLoops

/// One kind of job: how it runs, and what a failure means.
package struct JobKind: Sendable {
    /// What to do with a job whose run failed.
    package enum Verdict: Equatable, Sendable {
        /// It runs again later.
        case again
        /// It is over.
        case giveUp
    }

    /// Records a failed run, in the transaction that reschedules the job or ends it.
    package typealias Settle =
        @Sendable (borrowing Transaction, JobLease, Verdict, any Error) throws(SQLError) -> Void

    package let name: String
    /// How many run at once.
    package let workers: Int
    /// A run that takes longer is cancelled; its lease lasts a little longer than that.
    package let timeout: Duration
    /// The shortest and the longest wait before the next run of a job that failed.
    package let backoff: ClosedRange<Duration>
    /// How far ahead a run may be requested. One further ahead was requested before the clock was set back: it is due.
    let reach: Duration
    let body: @Sendable (JobLease) async throws -> Void
    let judge: @Sendable (any Error, JobLease) -> Verdict
    let pause: @Sendable (any Error) -> Duration
    let isPeerAway: @Sendable (any Error) -> Bool
    let settle: Settle
    let tellOthers: @Sendable (JobLease, any Error) async -> Void

    /// `body` completes the lease within its own last transaction. `pause` returns how long an error asks to wait, no
    /// farther than `reach`.
    /// - Parameters:
    ///   - reach: how far ahead a run may be requested; nil for no farther than the longest back-off.
    ///   - isPeerAway: whether an error means that no job of the kind can run, as a peer that all need is away.
    ///   - tellOthers: does what a failed run means for other jobs, once it is recorded: in transactions of its own, so
    ///     that no change waits for all of them.
    package init(
        _ name: String, workers: Int, timeout: Duration,
        backoff: ClosedRange<Duration> = Self.defaultBackoff, reach: Duration? = nil,
        judge: @escaping @Sendable (any Error, JobLease) -> Verdict = { _, _ in .again },
        pause: @escaping @Sendable (any Error) -> Duration = { _ in .zero },
        isPeerAway: @escaping @Sendable (any Error) -> Bool = { _ in false },
        settle: @escaping Settle = { _, _, _, _ throws(SQLError) in },
        tellOthers: @escaping @Sendable (JobLease, any Error) async -> Void = { _, _ in },
        body: @escaping @Sendable (JobLease) async throws -> Void
    ) {
        self.name = name
        self.workers = workers
        self.timeout = timeout
        self.backoff = backoff
        self.reach = max(reach ?? .zero, backoff.upperBound)
        self.judge = judge
        self.pause = pause
        self.isPeerAway = isPeerAway
        self.settle = settle
        self.tellOthers = tellOthers
        self.body = body
    }

    /// The subject that is notified when a job of a kind is requested.
    static func subject(_ name: String) -> String { "jobs/\(name)" }

    /// The default for the shortest and the longest wait.
    package static let defaultBackoff: ClosedRange<Duration> = .milliseconds(250) ... .seconds(30)
    /// How much longer a lease lasts than the run's time limit.
    private static let leaseMargin = Duration.seconds(30)

    func times(now: Int64) -> JobTimes {
        JobTimes(
            now: now, latestStart: now + reach.wholeMilliseconds + JobTimes.slack,
            leaseEnd: now + (timeout + Self.leaseMargin).wholeMilliseconds)
    }

    /// How long to wait after an error. Doubles with each failed run, up to the longest; `jitter` from 0 to 1 subtracts
    /// up to half of it, but nothing of the wait that the error asks for.
    func delay(after error: any Error, tries: Int, jitter: Double) -> Int64 {
        let pause = min(pause(error), reach).wholeMilliseconds
        return max(pause, Self.delay(in: backoff, tries: tries, jitter: jitter))
    }

    static func delay(in backoff: ClosedRange<Duration>, tries: Int, jitter: Double) -> Int64 {
        let full = Backoff.longestWait(in: backoff, failures: tries).wholeMilliseconds
        return full - Int64(Double(full) / 2 * jitter)
    }
}

extension Duration {
    var wholeMilliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
