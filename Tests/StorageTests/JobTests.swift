import EventLoops
import Synchronization
import Testing

@testable import Storage

@Suite("Jobs: none is lost, none takes effect twice")
struct JobTests {
    private static let backoff = Duration.milliseconds(1) ... .milliseconds(8)

    /// A kind whose runs are counted in the store, in the transaction that ends them.
    private static func counting(
        _ database: Database, before: @escaping @Sendable (JobLease) async throws -> Void = { _ in }
    ) -> JobKind {
        JobKind("count", workers: 3, timeout: .seconds(60), backoff: backoff) { lease in
            try await before(lease)
            _ = try await database.write { transaction throws(SQLError) in
                guard try transaction.complete(lease, at: 0) else { return try transaction.undo() }
                try transaction.execute(
                    "INSERT INTO runs (key, token) VALUES (?1, ?2)", lease.key, lease.token)
            }
        }
    }

    private static let runs = Migration("runs", "CREATE TABLE runs (key TEXT NOT NULL, token BIGINT NOT NULL);")
    private static let schema = [runs, JobSchema.migration]

    private static func keys(_ database: Database) async throws -> [String] {
        try await database.read { transaction throws(SQLError) in
            try transaction.rows("SELECT key FROM runs ORDER BY key") { row throws(SQLError) in try row.text(0) }
        }
    }

    /// Whether a job of "count" is still to be done.
    private static func isLeft(_ database: Database) async throws -> Bool {
        try await database.read { transaction throws(SQLError) in
            try transaction.first("SELECT 1 FROM jobs WHERE kind = 'count'") { _ throws(SQLError) in true } ?? false
        }
    }

    /// Runs the kinds until no job of "count" is left.
    private static func drain(_ database: Database, _ kinds: [JobKind], now: Int64 = 1_000) async throws {
        let runner = JobRunner(database, kinds, now: { now }, report: { _, _, _ in })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            group.addTask {
                while try await isLeft(database) { await Task.yield() }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    @Test(
        "each runs once, however many workers there are and however often it was asked for", arguments: Engine.allCases)
    func once(engine: Engine) async throws {
        try await withDatabase(engine, Self.schema) { database in
            let names = (1...50).map { "job\($0 + 100)" }
            _ = try await database.write { transaction throws(SQLError) in
                for name in names + names { try transaction.enqueue("count", name, at: 0) }
            }
            try await Self.drain(database, [Self.counting(database)])
            #expect(try await Self.keys(database) == names)
        }
    }

    @Test("one that is asked for while it runs is run once more", arguments: Engine.allCases)
    func again(engine: Engine) async throws {
        try await withDatabase(engine, Self.schema) { database in
            let first = Mutex(true)
            let kind = Self.counting(database) { lease in
                guard
                    first.withLock({ isFirst in
                        defer { isFirst = false }; return isFirst
                    })
                else { return }
                for _ in 1...3 {
                    _ = try await database.write { transaction throws(SQLError) in
                        try transaction.enqueue(lease.kind, lease.key, at: 0)
                    }
                }
            }
            _ = try await database.write { transaction throws(SQLError) in
                try transaction.enqueue("count", "a", at: 0)
            }
            try await Self.drain(database, [kind])
            #expect(try await Self.keys(database) == ["a", "a"])
        }
    }

    @Test("one that fails is run again, and after its last try given up in its own words", arguments: Engine.allCases)
    func failing(engine: Engine) async throws {
        struct Broken: Error {}
        try await withDatabase(engine, Self.schema) { database in
            let tries = Mutex<[Int]>([])
            let kind = JobKind(
                "count", workers: 1, timeout: .seconds(60), backoff: Self.backoff,
                judge: { _, lease in lease.tries < 3 ? .again : .giveUp },
                settle: { transaction, lease, verdict, _ throws(SQLError) in
                    guard verdict == .giveUp else { return }
                    try transaction.execute("INSERT INTO runs (key, token) VALUES (?1, 0)", "gave up \(lease.key)")
                },
                body: { lease in
                    tries.withLock { $0.append(lease.tries) }
                    throw Broken()
                })
            _ = try await database.write { transaction throws(SQLError) in
                try transaction.enqueue("count", "a", at: 0)
            }
            let time = Atomic<Int64>(1_000)
            let runner = JobRunner(
                database, [kind], now: { time.add(10, ordering: .relaxed).newValue },
                report: { _, _, _ in })
            let work = Task { await runner.run() }
            while try await Self.keys(database).isEmpty { await Task.yield() }
            work.cancel()
            await work.value
            #expect(tries.withLock { $0 } == [0, 1, 2, 3])
            #expect(try await Self.keys(database) == ["gave up a"])
        }
    }

    @Test(
        "one that is asked for while it fails begins anew, without the wait of its failures", arguments: Engine.allCases
    )
    func anew(engine: Engine) async throws {
        try await withDatabase(engine, Self.schema) { database in
            let kind = JobKind("count", workers: 1, timeout: .seconds(60)) { _ in }
            let tries = try await database.write { transaction throws(SQLError) in
                var tries: [Int?] = []
                try transaction.enqueue("count", "a", at: 0)
                for isAsked in [false, true, false] {
                    guard let lease = try transaction.claimJobs("count", kind.times(now: 0), for: "me").first else {
                        break
                    }
                    tries.append(lease.tries)
                    if isAsked { try transaction.enqueue("count", "a", at: 0) }
                    let next: Int64 = tries.count == 1 ? 0 : 20_000
                    _ = try transaction.retry(lease, at: next, now: 0, reason: "")
                }
                return tries + [try transaction.claimJobs("count", kind.times(now: 19_999), for: "me").first?.tries]
            }
            #expect(tries == [0, 1, 0, nil])
        }
    }

    @Test("as many are taken at once as are asked for: lost ones first, then the earliest", arguments: Engine.allCases)
    func several(engine: Engine) async throws {
        try await withDatabase(engine, Self.schema) { database in
            let kind = JobKind("count", workers: 1, timeout: .seconds(60)) { _ in }
            let taken = try await database.write { transaction throws(SQLError) in
                for (key, due) in [("d", Int64(4)), ("b", 2), ("c", 3), ("a", 90_000), ("e", 5)] {
                    try transaction.enqueue("count", key, at: due)
                }
                let first = try transaction.claimJobs("count", kind.times(now: 2), for: "me", atMost: 3)
                // The lease of the first is over by then.
                let second = try transaction.claimJobs("count", kind.times(now: 90_002), for: "me", atMost: 3)
                let third = try transaction.claimJobs("count", kind.times(now: 90_002), for: "me", atMost: 3)
                return [first, second, third].map { $0.map(\.key).sorted() }
            }
            #expect(taken == [["b"], ["b", "c", "d"], ["a", "e"]])
        }
    }

    @Test("one that is requested is looked for once, however many workers wait")
    func lookedFor() async throws {
        try await withDatabase(.sqlite, Self.schema) { database in
            let done = Bell()
            let kind = JobKind("count", workers: 16, timeout: .seconds(60), backoff: Self.backoff) { lease in
                _ = try await database.write { transaction throws(SQLError) in
                    try transaction.complete(lease, at: 0)
                }
                done.ring()
            }
            let runner = JobRunner(database, [kind], now: { 0 }, report: { _, _, _ in })
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await runner.run() }
                for _ in 0..<10 {
                    let count = done.count
                    try await database.write { transaction throws(SQLError) in
                        try transaction.enqueue("count", "a", at: 0)
                    }
                    await done.wait(after: count)
                }
                group.cancelAll()
            }
            // To find it and to take it, once more after that, and as often at the start.
            #expect(database.metrics.reads <= 22)
        }
    }

    @Test("whoever lost its lease ends nothing", arguments: Engine.allCases)
    func fencing(engine: Engine) async throws {
        try await withDatabase(engine, Self.schema) { database in
            let kind = Self.counting(database)
            let outcome = try await database.write { transaction throws(SQLError) in
                try transaction.enqueue("count", "a", at: 0)
                let old = try transaction.claimJobs("count", kind.times(now: 0), for: "me").first
                // Longer than the longest run and its margin.
                let new = try transaction.claimJobs("count", kind.times(now: 91_000), for: "me").first
                guard let old, let new else { return [false] }
                let held = try transaction.holds(old)
                let oldEnds = try transaction.complete(old, at: 0)
                let oldRetries = try transaction.retry(old, at: 0, now: 0, reason: "")
                return [new.token != old.token, !held, !oldEnds, !oldRetries, try transaction.complete(new, at: 0)]
            }
            #expect(outcome == [true, true, true, true, true])
        }
    }

    @Test(
        "one whose process died runs again when the store is opened anew, later each time, and can tell how often",
        arguments: Engine.allCases)
    func killed(engine: Engine) async throws {
        try await withDatabase(engine, Self.schema) { database in
            let kind = JobKind("count", workers: 1, timeout: .seconds(60)) { _ in }
            let seen = try await database.write { transaction throws(SQLError) in
                var (now, kills, waits): (Int64, [Int?], [Int64]) = (0, [], [])
                try transaction.enqueue("count", "a", at: 0)
                for _ in 1...3 {
                    kills.append(try transaction.claimJobs("count", kind.times(now: now), for: "me").first?.kills)
                    try transaction.recoverJobs(of: "me", at: now)
                    try transaction.enqueue("count", "a", at: now)
                    let due = try transaction.nextJobTime("count", kind.times(now: now), for: "me") ?? now
                    waits.append(due - now)
                    now = due
                }
                return (kills: kills, waits: waits)
            }
            #expect(seen.kills == [0, 1, 2])
            for (wait, range) in zip(seen.waits, [125...250, 250...500, 500...1_000] as [ClosedRange<Int64>]) {
                #expect(range.contains(wait))
            }
        }
    }

    @Test(
        "one that was cut off by an orderly stop runs again at once, and one that failed was survived",
        arguments: Engine.allCases)
    func stopped(engine: Engine) async throws {
        try await withDatabase(engine, Self.schema) { database in
            let kind = JobKind("count", workers: 1, timeout: .seconds(60)) { _ in }
            let kills = try await database.write { transaction throws(SQLError) in
                try transaction.enqueue("count", "a", at: 0)
                let first = try transaction.claimJobs("count", kind.times(now: 0), for: "me").first
                try transaction.releaseJobs(of: "me")
                let second = try transaction.claimJobs("count", kind.times(now: 0), for: "me").first
                try transaction.recoverJobs(of: "me", at: 0)
                let third = try transaction.claimJobs("count", kind.times(now: 1_000), for: "me").first
                guard let first, let second, let third else { return [-1] }
                _ = try transaction.retry(third, at: 0, now: 0, reason: "")
                let fourth = try transaction.claimJobs("count", kind.times(now: 1_000), for: "me").first
                return [first.kills, second.kills, third.kills, fourth?.kills ?? -1]
            }
            #expect(kills == [0, 0, 1, 0])
        }
    }

    @Test(
        "one that is requested for later waits as far ahead as its kind reaches; further ahead it is due",
        arguments: Engine.allCases)
    func ahead(engine: Engine) async throws {
        try await withDatabase(engine, Self.schema) { database in
            let near = JobKind("count", workers: 1, timeout: .seconds(60)) { _ in }
            let far = JobKind("count", workers: 1, timeout: .seconds(60), reach: .seconds(3_600)) { _ in }
            let seen = try await database.write { transaction throws(SQLError) in
                try transaction.enqueue("count", "a", at: 3_600_000)
                let waits = try [near, far].map { kind throws(SQLError) in
                    try transaction.nextJobTime("count", kind.times(now: 0), for: "me")
                }
                let early = try transaction.claimJobs("count", far.times(now: 0), for: "me").first
                return (
                    waits: waits, early: early,
                    due: try transaction.claimJobs("count", near.times(now: 0), for: "me").first
                )
            }
            #expect(seen.waits == [0, 3_600_000])
            #expect(seen.early == nil && seen.due?.key == "a")
        }
    }

    @Test("a clock that goes back holds nothing up", arguments: Engine.allCases, [Int64(86_400_000), 3_600_000])
    func clock(engine: Engine, back: Int64) async throws {
        try await withDatabase(engine, Self.schema) { database in
            let kind = Self.counting(database)
            let now: Int64 = 1_700_000_000_000
            let seen = try await database.write { transaction throws(SQLError) in
                try transaction.enqueue("count", "late", at: now)
                try transaction.enqueue("count", "leased", at: 0)
                let lease = try transaction.claimJobs("count", kind.times(now: now), for: "me").first
                let early = kind.times(now: now - back)
                let first = try transaction.claimJobs("count", early, for: "me").first
                let second = try transaction.claimJobs("count", early, for: "me").first
                let due = try transaction.nextJobTime("count", early, for: "me")
                return (keys: [lease?.key, first?.key, second?.key], due: due, leaseEnd: early.leaseEnd)
            }
            #expect(seen.keys == ["leased", "leased", "late"])
            #expect(seen.due == seen.leaseEnd, "nobody looks for what is leased before its time")
        }
    }

    @Test("one is said to be due exactly when there is one to take, whatever the clock did", arguments: Engine.allCases)
    func due(engine: Engine) async throws {
        try await withDatabase(engine, Self.schema) { database in
            let (kind, now): (JobKind, Int64) = (Self.counting(database), 1_700_000_000_000)
            let wrong = try await database.write { transaction throws(SQLError) in
                var wrong: [String] = []
                for next in [now - 5, now, now + 5, now + 3_600_000] {
                    for leaseEnd in [0, now - 5, now + 5, now + 3_600_000] {
                        let name = "next \(next - now), lease \(leaseEnd == 0 ? "none" : "\(leaseEnd - now)")"
                        try transaction.execute(
                            """
                            INSERT INTO jobs (kind, key, tries, next_ms, lease, lease_end_ms, is_wanted_again, reason,
                                owner)
                            VALUES (?1, 'a', 0, ?2, ?3, ?4, FALSE, '', 'me')
                            """, name, next, leaseEnd == 0 ? 0 : 1, leaseEnd)
                        let due = try transaction.nextJobTime(name, kind.times(now: now), for: "me")
                        guard let due else {
                            wrong.append(name)
                            continue
                        }
                        let lease = try transaction.claimJobs(name, kind.times(now: now), for: "me").first
                        let later = try transaction.claimJobs(name, kind.times(now: max(now, due)), for: "me").first
                        // What was taken now is not to be had a second time.
                        let isRight = (lease != nil) == (due <= now) && (lease != nil) != (later != nil)
                        if !isRight { wrong.append(name) }
                    }
                }
                return wrong
            }
            #expect(wrong.isEmpty)
        }
    }

    @Test("while the peer of all is away one tries at a time; when it is back all run", arguments: Engine.allCases)
    func away(engine: Engine) async throws {
        try await withDatabase(engine, Self.schema) { database in
            let count = 200
            _ = try await database.write { transaction throws(SQLError) in
                for number in 1...count { try transaction.enqueue("count", "job\(number + 1_000)", at: 0) }
            }
            let clock = Mutex(Int64(1_000))
            let tries = Atomic(0)
            let isBack = Atomic(false)
            let counting = Self.counting(database)
            let kind = JobKind(
                counting.name, workers: counting.workers, timeout: counting.timeout, backoff: Self.backoff,
                isPeerAway: { $0 is Busy },
                body: { lease in
                    if !isBack.load(ordering: .relaxed) { throw Busy() }
                    try await counting.body(lease)
                })
            let runner = JobRunner(database, [kind], now: { clock.withLock { $0 } }) { _, _, _ in
                tries.add(1, ordering: .relaxed)
            }
            async let _ = runner.run()
            let waits = 20
            var seen = 0
            for _ in 1...waits {
                while tries.load(ordering: .relaxed) == seen { await Task.yield() }
                seen = tries.load(ordering: .relaxed)
                clock.withLock { $0 += 8 }
            }
            let tried = tries.load(ordering: .relaxed)
            #expect(tried <= counting.workers + waits)
            isBack.store(true, ordering: .relaxed)
            while try await Self.isLeft(database) {
                clock.withLock { $0 += 8 }
                await Task.yield()
            }
            #expect(try await Self.keys(database).count == count)
        }
    }

    @Test("a breaker lets one try after each wait, doubling up to the longest; an answer opens it for all")
    func breaker() {
        let breaker = PeerBreaker(.milliseconds(100) ... .milliseconds(400))
        #expect(breaker.wait(at: 0) == nil)
        // Those that were in flight count as one.
        for _ in 1...3 { breaker.record(isAway: true, at: 0) }
        #expect(breaker.wait(at: 0) == .milliseconds(100))
        #expect(breaker.left(at: 0) == .milliseconds(100) && breaker.left(at: 100) == nil)
        var tries: [Int64] = []
        for now in Int64(0)...1_300 where breaker.wait(at: now) == nil {
            tries.append(now)
            breaker.record(isAway: true, at: now)
        }
        #expect(tries == [100, 300, 700, 1_100])
        #expect(breaker.wait(at: -86_400_000) == nil, "the clock was set back")
        breaker.record(isAway: false, at: 1_300)
        for _ in 1...3 { #expect(breaker.wait(at: 1_300) == nil && breaker.left(at: 1_300) == nil) }
    }

    @Test("the wait between tries doubles up to the longest", arguments: [(0, 1), (1, 2), (2, 4), (3, 8), (99, 8)])
    func delays(tries: Int, milliseconds: Int64) {
        let kind = JobKind("a", workers: 1, timeout: .seconds(1), backoff: Self.backoff) { _ in }
        #expect(kind.delay(after: Busy(), tries: tries, jitter: 0) == milliseconds)
        #expect(kind.delay(after: Busy(), tries: tries, jitter: 1) == milliseconds - milliseconds / 2)
    }

    @Test("the wait is as long as the error asks for, up to the longest", arguments: [(0, 1), (2, 2), (5, 5), (99, 8)])
    func pauses(asked: Int, milliseconds: Int64) {
        let kind = JobKind(
            "a", workers: 1, timeout: .seconds(1), backoff: Self.backoff,
            pause: { _ in .milliseconds(asked) }, body: { _ in })
        #expect(kind.delay(after: Busy(), tries: 0, jitter: 0) == milliseconds)
        #expect(kind.delay(after: Busy(), tries: 1, jitter: 1) == milliseconds)
    }

    private struct Busy: Error {}
}
