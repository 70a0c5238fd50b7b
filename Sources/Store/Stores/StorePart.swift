package import Daemon
package import Storage

/// What every store has: jobs, versions, the answers to changes that may be repeated, and its number.
package struct StorePart: Part {
    package static let migrations = [
        JobSchema.migration, SubjectSchema.migration, RequestSchema.migration, DataName.migration,
    ]

    private let database: Database

    package init(_ database: Database) { self.database = database }

    package var families: [MetricFamily] { database.families }

    package func forget(
        at now: Int64, limit: Int, _ transaction: borrowing Transaction
    ) throws(SQLError) -> Int {
        try transaction.deleteRequests(before: now - Change.lifeMilliseconds, limit: limit)
    }

    package static func erase(
        _ account: String, at now: Int64, _ transaction: borrowing Transaction
    ) throws(SQLError) {
        // The profile of open mode may go on, and then its versions must.
        try transaction.execute(
            """
            UPDATE versions SET last = (SELECT version FROM subjects WHERE name = ?1) WHERE id = 1
                AND last < (SELECT version FROM subjects WHERE name = ?1)
            """, account)
        try transaction.execute("DELETE FROM requests WHERE account = ?1", account)
        try transaction.execute("DELETE FROM subjects WHERE name = ?1", account)
    }
}
