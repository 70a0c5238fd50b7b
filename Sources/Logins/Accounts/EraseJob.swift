package import Daemon
package import Storage
package import Stores

/// Has all parts of a service erase what a deleted account had. Begun again it goes on where it was.
package struct EraseJob: Sendable {
    private let database: Database
    private let parts: [any Part.Type]
    private let clock: WallClock

    package init(_ database: Database, of parts: [any Part.Type], clock: WallClock) {
        (self.database, self.parts, self.clock) = (database, parts, clock)
    }

    /// It is repeated until nothing is left.
    package var kind: JobKind {
        JobKind(AccountErasure.job, workers: 1, timeout: .seconds(120)) { lease in try await run(lease) }
    }

    private func run(_ lease: JobLease) async throws {
        let now = clock.unixMilliseconds
        if let (account, time) = AccountErasure.subject(of: lease.key) {
            for part in parts { while try await eraseSome(of: part, account, upTo: time) {} }
            // What parts have at other services is requested once: the profile of open mode may have new rows by then.
            return try await database.write { transaction throws(SQLError) in
                guard try transaction.holds(lease) else { return }
                // What was made last stands on what was made before.
                for part in parts.reversed() { try part.erase(account, at: now, transaction) }
                _ = try transaction.complete(lease, at: now)
            }
        }
        _ = try await database.write(.statements) { transaction throws(SQLError) in
            try transaction.complete(lease, at: now)
        }
    }

    private func eraseSome(of part: any Part.Type, _ account: String, upTo time: Int64) async throws -> Bool {
        let now = clock.unixMilliseconds
        return try await database.write { transaction throws(SQLError) in
            try part.eraseSome(of: account, upTo: time, at: now, transaction)
        }
    }
}
