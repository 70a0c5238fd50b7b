import Accounts
import Bytes
import Daemon
import EventLoops
import Posts
import Storage
import Stores

/// Erases what a deleted account had: its pins one after the other, what else is its own, and by a job of its own its
/// parts of the photo service and of the places service. Begun again it goes on where it was.
struct EraseJob: Sendable {
    /// Pins in one transaction.
    private static let part = 50

    let store: PinStore
    let albums: any AlbumSearcher
    let finder: any PlaceFinder
    let clock: WallClock

    /// Each is repeated until nothing is left.
    var kinds: [JobKind] {
        [
            JobKind(AccountErasure.job, workers: 1, timeout: .seconds(120)) { lease in try await run(lease) },
            JobKind(Work.forgetAccount, workers: 1, timeout: .seconds(120)) { lease in
                try await albums.forgetAccount(lease.key)
                try await finder.forgetFindings(of: lease.key)
                try await store.drop(lease, at: clock.unixMilliseconds)
            },
        ]
    }

    private func run(_ lease: JobLease) async throws {
        let now = clock.unixMilliseconds
        guard let (account, time) = AccountErasure.subject(of: lease.key) else {
            return try await store.drop(lease, at: now)
        }
        while try await erasePins(of: account, upTo: time) {}
        // Once: while the photo service is away, the profile of open mode may have new rows.
        try await store.database.write { transaction throws(SQLError) in
            guard try transaction.holds(lease) else { return }
            try transaction.erase(account)
            try transaction.enqueue(Work.forgetAccount, account, at: now)
            _ = try transaction.complete(lease, at: now)
        }
    }

    /// Whether there may be more.
    private func erasePins(of account: String, upTo time: Int64) async throws -> Bool {
        let now = clock.unixMilliseconds
        let cursor = PinListing.Cursor(createdMilliseconds: time, id: PinListing.Cursor.start.id)
        return try await store.database.write { transaction throws(SQLError) in
            let ids = try transaction.pinIDs(of: account, PinListing(after: cursor, limit: Self.part))
            for id in ids {
                if let pin = try transaction.pin(id, of: account) { try transaction.delete(pin, at: now) }
            }
            return ids.count == Self.part
        }
    }
}

extension Transaction {
    /// Deletes all rows of an account but its pins. A test looks for tables that are missing here.
    fileprivate func erase(_ account: String) throws(SQLError) {
        // The profile of open mode may go on, and then its versions must.
        try execute(
            """
            UPDATE versions SET last = (SELECT version FROM subjects WHERE name = ?1) WHERE id = 1
                AND last < (SELECT version FROM subjects WHERE name = ?1)
            """, account)
        try deleteRest(ofDeleted: account)
        try erasePost(of: account)
        for table in Self.tablesOfPins { try execute(table, account) }
    }

    private static var tablesOfPins: [StaticString] {
        [
            "DELETE FROM map_regions WHERE account = ?1", "DELETE FROM account_settings WHERE account = ?1",
            "DELETE FROM shares WHERE account = ?1", "DELETE FROM grants WHERE account = ?1",
            "DELETE FROM grants WHERE guest = ?1", "DELETE FROM log_in_attempts WHERE name = 'grant/' || ?1",
            "DELETE FROM list_pins WHERE list IN (SELECT id FROM lists WHERE account = ?1)",
            "DELETE FROM lists WHERE account = ?1", "DELETE FROM stars WHERE account = ?1",
            "DELETE FROM pin_import_parts WHERE import_id IN (SELECT id FROM pin_imports WHERE account = ?1)",
            "DELETE FROM pin_imports WHERE account = ?1",
            "DELETE FROM removals WHERE account = ?1", "DELETE FROM forgotten_removals WHERE account = ?1",
            "DELETE FROM requests WHERE account = ?1", "DELETE FROM subjects WHERE name = ?1",
        ]
    }
}
