import EventLoops
import Synchronization
import TestTools
import Testing

@testable import Storage

@Suite("P43 P55 Replicas that share a PostgreSQL database")
struct ReplicaTests {
    private static let runs = Migration("runs", "CREATE TABLE runs (key TEXT NOT NULL, replica TEXT NOT NULL);")
    private static let schema = [SubjectSchema.migration, JobSchema.migration, runs]

    /// Two replicas, each with several connections.
    private static func withTwo(_ body: (Database, Database) async throws -> Void) async throws {
        try await DatabasePlace.with(.postgres) { place in
            var place = place
            place.connections = 8
            let shared = place
            try await shared.with(schema) { first in try await shared.with(schema) { try await body(first, $0) } }
        }
    }

    private static func raise(_ database: Database, _ subject: String) async throws -> Int64 {
        try await database.write(.subject(subject)) { transaction throws(SQLError) in
            try transaction.nextVersion(of: subject)
        }
    }

    @Test("hear of each other's changes, each watcher of its own subject only")
    func notices() async throws {
        try await Self.withTwo { first, second async throws in
            try await second.notices.watching("ann") { bell async throws in
                for _ in 1...3 {
                    let count = bell.count
                    _ = try await Self.raise(first, "ann")
                    await bell.wait(after: count)
                }
            }
            #expect(second.notices.count == 0)
        }
    }

    @Test("find a change of which no notice came, as of a replica that died right after its commit")
    func silentChange() async throws {
        try await Self.withTwo { first, second async throws in
            _ = try await Self.raise(first, "ann")
            try await second.notices.watching(Notices.part("a pin", of: "ann")) { bell async throws in
                let count = bell.count
                _ = try await first.write { transaction throws(SQLError) in
                    try transaction.execute("UPDATE subjects SET version = version + 1 WHERE name = 'ann'")
                }
                await bell.wait(after: count)
            }
        }
    }

    @Test("never show a version before a lower one of the same subject")
    func order() async throws {
        try await Self.withTwo { first, second async throws in
            let gate = Gate()
            async let slow = first.write(.subject("ann")) { transaction throws(SQLError) in
                let version = try transaction.nextVersion(of: "ann")
                gate.pass()
                return version
            }
            await gate.untilReached()
            // Another subject does not wait; this one does.
            #expect(try await Self.raise(second, "ben") == 1)
            let late = await code { () throws(SQLError) in
                _ = try await second.write(.subject("ann"), deadline: .now + .milliseconds(100)) {
                    transaction throws(SQLError) in try transaction.nextVersion(of: "ann")
                }
            }
            #expect(late == .deadlineExceeded)
            gate.open()
            #expect(try await slow == 1)
            #expect(try await Self.raise(second, "ann") == 2)
        }
    }

    @Test("run each job once, and both have their part")
    func jobs() async throws {
        try await Self.withTwo { first, second async throws in
            _ = try await first.write { transaction throws(SQLError) in
                for number in 1...100 { try transaction.enqueue("count", "\(number)", at: 0) }
            }
            let databases = [first, second]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for database in databases {
                    let kind = JobKind("count", workers: 4, timeout: .seconds(60)) { lease in
                        try await database.write { transaction throws(SQLError) in
                            guard try transaction.complete(lease, at: 0) else { return try transaction.undo() }
                            try transaction.execute(
                                "INSERT INTO runs (key, replica) VALUES (?1, ?2)", lease.key, database.replica)
                        }
                    }
                    group.addTask {
                        await JobRunner(database, [kind], now: { 1_000 }, report: { _, _, _ in }).run()
                    }
                }
                group.addTask {
                    while try await Self.count(first, "SELECT count(*) FROM jobs") > 0 { await Task.yield() }
                }
                try await group.next()
                group.cancelAll()
            }
            #expect(try await Self.count(first, "SELECT count(*) FROM runs") == 100)
            #expect(try await Self.count(first, "SELECT count(DISTINCT key) FROM runs") == 100)
            #expect(try await Self.count(first, "SELECT count(DISTINCT replica) FROM runs") == 2)
        }
    }

    private static func count(_ database: Database, _ sql: StaticString) async throws -> Int64 {
        try await database.read { transaction throws(SQLError) in
            try transaction.first(sql) { row throws(SQLError) in try row.integer(0) } ?? 0
        }
    }

    @Test("leave a job to one that is alive, take it from one that is dead, and count that")
    func deadReplica() async throws {
        try await Self.withTwo { database, _ async throws in
            let kind = JobKind("count", workers: 1, timeout: .seconds(60)) { _ in }
            let seen = try await database.write { transaction throws(SQLError) in
                try transaction.enqueue("count", "a", at: 0)
                try transaction.keepAlive("first", until: 20_000)
                let first = try transaction.claimJobs("count", kind.times(now: 0), for: "first").first
                let early = try transaction.claimJobs("count", kind.times(now: 19_999), for: "second").first
                let due = try transaction.nextJobTime("count", kind.times(now: 20_000), for: "second")
                let late = try transaction.claimJobs("count", kind.times(now: 20_000), for: "second").first
                guard let first, let late else { return (early: early, due: due, kills: -1, isHeld: true) }
                return (early: early, due: due, kills: late.kills, isHeld: try transaction.holds(first))
            }
            #expect(seen.early == nil)
            #expect(seen.due == 20_000)
            #expect(seen.kills == 1)
            #expect(!seen.isHeld)
        }
    }

    @Test("leave a job to one that has just taken it, though they read the time before", arguments: [Int64(5), 20_000])
    func justTaken(later: Int64) async throws {
        try await Self.withTwo { database, _ async throws in
            let kind = JobKind("count", workers: 1, timeout: .seconds(60)) { _ in }
            let seen = try await database.write { transaction throws(SQLError) in
                try transaction.enqueue("count", "a", at: 0)
                try transaction.keepAlive("first", until: 1_000_000)
                _ = try transaction.claimJobs("count", kind.times(now: later), for: "first").first
                let due = try transaction.nextJobTime("count", kind.times(now: 0), for: "second")
                return (key: try transaction.claimJobs("count", kind.times(now: 0), for: "second").first?.key, due: due)
            }
            #expect(seen.key == nil)
            #expect(try #require(seen.due) > 0)
        }
    }

    @Test("free at their start what an earlier life of theirs held, and nothing of others")
    func ownLeases() async throws {
        try await Self.withTwo { database, _ async throws in
            let kind = JobKind("count", workers: 1, timeout: .seconds(60)) { _ in }
            let keys = try await database.write { transaction throws(SQLError) in
                for replica in ["one", "two"] {
                    try transaction.enqueue("count", "of \(replica)", at: 0)
                    try transaction.keepAlive(replica, until: 1_000_000)
                    _ = try transaction.claimJobs("count", kind.times(now: 0), for: replica).first
                }
                try transaction.recoverJobs(of: "one", at: 0)
                return [
                    try transaction.claimJobs("count", kind.times(now: 1_000), for: "one").first?.key,
                    try transaction.claimJobs("count", kind.times(now: 1_000), for: "one").first?.key,
                ]
            }
            #expect(keys == ["of one", nil])
        }
    }

    @Test("keep their files at one place: one with another is refused, until the first may have died or has stopped")
    func places() async throws {
        try await Self.withTwo { first, second async throws in
            try await first.join(at: "a bucket") { 1_000_000 }
            try await second.join(at: "a bucket") { 1_000_000 }
            await second.part()
            let refusal = await #expect(throws: SQLError.self) {
                try await second.join(at: "a folder", now: { 1_000_000 }, patience: .zero)
            }
            #expect(
                refusal?.message == "replica \(first.replica) of this service runs on the same database and keeps its"
                    + " files elsewhere; give all replicas the same --blobs, or run one")
            let life = Int64(JobRunner.life.components.seconds) * 1_000
            try await second.join(at: "a folder", now: { 1_000_001 + life }, patience: .zero)
            await second.part()
            try await first.join(at: "a bucket") { 1_000_000 }
            await first.part()
            try await second.join(at: "a folder", now: { 1_000_000 }, patience: .zero)
        }
    }
}
