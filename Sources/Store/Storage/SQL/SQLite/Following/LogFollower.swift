internal import CSQLite
internal import EventLoops
internal import Files
internal import CLinux
internal import Glibc
internal import Synchronization

/// Follows what is written to a SQLite database, for who keeps a copy of it elsewhere: which pages changed since the
/// last cut, and what they are at the next one.
///
/// The log has a frame for each page that a transaction wrote. Its frames are looked at before the writer copies them
/// into the database file, since only then the log can start over; so no page is missed, however
/// long the store is away. What waits is a set of numbers, not the pages themselves.
package final class LogFollower: Sendable {
    /// What a change waits for.
    package enum Mode: Sendable {
        /// For nothing.
        case soon
        /// For the copy that has it.
        case before
    }

    /// A moment that all cuts of a deployment have in common, though each is made a little later.
    struct Boundary {
        /// Milliseconds since 1970.
        let time: Int64
        /// The log before the first transaction that began to be committed after it.
        var log: (salt: UInt64, frames: UInt32)?
    }

    struct State {
        var path = ""
        var file: UInt64 = 0
        var log: FollowedLog?
        var boundary: Boundary?
        /// Whether pages are read: nothing is copied over them meanwhile.
        var isCutting = false
        /// Whether the last change was not copied, and changes have to be.
        var isBehind = false
        /// What the one who copies keeps beside the database.
        var note: [UInt8] = []
    }

    package let mode: Mode
    let state = Mutex(State())
    let reader = Mutex<PlainSQLite?>(nil)
    let turns: StoreTurns

    package init(_ mode: Mode) {
        self.mode = mode
        turns = StoreTurns()
    }

    /// What was kept at the last `keep`; empty when all of the database has to be copied.
    package var note: [UInt8] { state.withLock { $0.log?.isLost == false ? $0.note : [] } }

    /// The database's path.
    package var path: String { state.withLock { $0.path } }

    /// Whether something was lost sight of: all has to be copied.
    package var isLost: Bool { state.withLock { $0.log?.isLost ?? false } }

    /// Pages that changed and are in no copy yet.
    package var waitingPages: Int { state.withLock { ($0.log?.changed.count ?? 0) + ($0.log?.taken.count ?? 0) } }
}

// MARK: On the writer's thread

extension LogFollower {
    /// Begins to follow, before anything is written.
    func begin(_ connection: SQLiteConnection, before closed: ClosedFile?) throws(SQLError) {
        try connection.readSomething()
        let (path, file) = (connection.path, DiskFile.number(of: connection.path) ?? 0)
        let known = LogPosition.read(of: path).flatMap { $0.file == file ? $0 : nil }
        let files = connection.files
        let index = try files.index()
        let fits = known.map { known in
            known.closed.map { $0 == closed } ?? known.fits(index)
        }
        let log =
            if let known, fits ?? false { try FollowedLog(from: known, index, files) } else {
                try FollowedLog(after: index, files)
            }
        state.withLock {
            ($0.path, $0.file, $0.log, $0.note) = (path, file, log, known?.note ?? [])
        }
        keep()
    }

    /// A transaction is about to be committed.
    func willCommit(_ connection: SQLiteConnection) {
        let isDue = state.withLock { state in
            guard let boundary = state.boundary, boundary.log == nil else { return false }
            return Self.now >= boundary.time
        }
        guard isDue else { return }
        guard let index = try? connection.files.index() else { return state.withLock { $0.log?.isLost = true } }
        state.withLock { $0.boundary?.log = (index.salt, index.frames) }
    }

    /// Waits for the copy of what was committed, where changes do; gives why there is none.
    func didCommit() -> SQLError? {
        guard mode == .before else { return nil }
        let problem = turns.wait()
        state.withLock { $0.isBehind = problem != nil }
        return problem
    }

    /// Why nothing can be written now: what was committed before is still not copied.
    var refusal: SQLError? {
        guard mode == .before, state.withLock({ $0.isBehind }) else { return nil }
        return didCommit()
    }

    /// The log is about to be copied into the database file. False when that has to wait.
    func willCopy(_ connection: SQLiteConnection) -> Bool {
        let goesOn = state.withLock { state in
            guard !state.isCutting, state.boundary?.log == nil else { return false }
            Self.look(connection.files, &state)
            return true
        }
        if goesOn { keep() }
        return goesOn
    }

    /// The database is about to be closed, which copies its log and removes it.
    func willClose(_ connection: SQLiteConnection) {
        state.withLock { Self.look(connection.files, &$0) }
        // The writer has to be the last to close it.
        reader.withLock { $0 = nil }
    }

    private static func look(_ files: LogFiles, _ state: inout State) {
        do throws(SQLError) {
            let index = try files.index()
            try state.log?.look(upTo: index.frames, of: index, files)
        } catch {
            state.log?.isLost = true
        }
    }

    /// The database was closed.
    func didClose() {
        let path = path
        guard !path.isEmpty, let closed = ClosedFile(path) else { return }
        keep(closed: closed)
    }

    /// Keeps how far it came. When that can't be written, all is copied again.
    func keep(closed: ClosedFile? = nil) {
        let (path, position): (String, LogPosition?) = state.withLock { state in
            guard let log = state.log, !log.isLost else { return (state.path, nil) }
            var position = LogPosition(file: state.file, changed: log.changed, note: state.note)
            position.changed.formUnion(log.taken)
            position.closed = closed
            if closed == nil { (position.salt, position.frames) = (log.salt, log.frames) }
            return (state.path, position)
        }
        do throws(SystemError) {
            if let position { return try position.write(of: path) }
        } catch {
            // An older one would fit a log that started over since.
            state.withLock { $0.log?.isLost = true }
        }
        LogPosition.remove(of: path)
    }

    /// Milliseconds since 1970.
    package static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

extension SQLiteConnection {
    /// The files behind the connection, once it has read something. They are not to be used after it.
    var files: LogFiles { unsafe handle.withHandle { database in unsafe LogFiles(database, path: path) } }

    /// A connection knows its log from the first time on that it reads.
    func readSomething() throws(SQLError) { try pragmaAllowed("schema_version") }

    private func pragmaAllowed(_ setting: String) throws(SQLError) {
        hooks.allowsControl = true
        defer { hooks.allowsControl = false }
        try pragma(setting)
    }
}
