internal import CSQLite
internal import EventLoops
internal import Glibc

/// SQLite's callbacks in the middle of its work: one object per connection, only ever touched by the thread that runs
/// the connection, because SQLite calls back on the thread that called it.
final class ConnectionHooks {
    /// How many of SQLite's instructions run between two checks of the deadline: some tens of microseconds.
    private static let instructionsPerLook: Int32 = 4_096

    /// The request that is running, whose deadline and cancellation stop it.
    var current: Request?
    /// True while the storage runs a statement of its own, such as BEGIN.
    var allowsControl = false
    /// Pages in the write-ahead log after the last commit.
    var logPages = 0
    /// How long a lock is waited for now; nil for as long as the settings say.
    var patience: Duration?
    private let lockTimeout: Duration
    private var waitingSince: ContinuousClock.Instant?

    init(lockTimeout: Duration) { self.lockTimeout = lockTimeout }

    /// Sets the callbacks of `database`. SQLite keeps the address of `self`, so `SQLiteHandle` retains it until the
    /// database is closed.
    @unsafe
    func install(on database: OpaquePointer) {
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_progress_handler(
            database, Self.instructionsPerLook, { unsafe ConnectionHooks.at($0).look() ? 0 : 1 }, me)
        unsafe sqlite3_busy_handler(database, { unsafe ConnectionHooks.at($0).waitForLock(attempt: $1) ? 1 : 0 }, me)
        unsafe sqlite3_set_authorizer(
            database, { context, action, _, _, _, _ in unsafe ConnectionHooks.at(context).authorize(action) }, me)
        unsafe sqlite3_wal_hook(
            database,
            { context, _, _, pages in
                unsafe ConnectionHooks.at(context).logPages = Int(pages)
                return SQLITE_OK
            }, me)
    }

    /// Called during a long statement: whether it may continue.
    private func look() -> Bool {
        HeldWakes.ofThread?.letGo()
        return stopReason == nil
    }

    /// Why the current request must not continue; nil when it may.
    var stopReason: SQLError? { current?.stopReason }

    @unsafe
    private static func at(_ context: UnsafeMutableRawPointer?) -> ConnectionHooks {
        // SQLite passes the context that `install` gave it, which isn't null.
        guard let context = unsafe context else { preconditionFailure("SQLite called back without its context") }
        return unsafe Unmanaged<ConnectionHooks>.fromOpaque(context).takeUnretainedValue()
    }

    private func authorize(_ action: Int32) -> Int32 {
        switch action {
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_PRAGMA, SQLITE_ATTACH, SQLITE_DETACH:
            allowsControl ? SQLITE_OK : SQLITE_DENY
        default: SQLITE_OK
        }
    }

    /// Sleeps a little and returns whether to try again. This is a storage thread: sleeping here delays no other work.
    private func waitForLock(attempt: Int32) -> Bool {
        let now = ContinuousClock.now
        if attempt == 0 { waitingSince = now }
        guard look(), now - (waitingSince ?? now) < patience ?? lockTimeout else { return false }
        sqlite3_sleep(min(attempt + 1, 20))
        return true
    }
}
