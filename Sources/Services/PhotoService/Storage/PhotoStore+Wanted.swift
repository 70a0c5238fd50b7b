import Daemon
import EventLoops
import RPC
import Storage
import Stores

extension PhotoStore {
    /// How far a picture is that was asked for.
    private enum Progress: Sendable {
        case waiting
        case made(StoredPicture)
        case failed(RPCError)
        /// Its file was another one when it was made.
        case outdated
    }

    /// The longest wait without a look: a notice of another replica may be lost.
    private static let longestWait = Duration.seconds(1)
    /// How often a picture is made of a file that changes all the time.
    private static let maximumTries = 3

    /// Has a picture made, and waits for it. It is completed even if the caller leaves.
    /// - Parameters:
    ///   - end: until when it is waited for.
    ///   - memory: for how many milliseconds a failure is the answer before it is tried again.
    func make(
        _ wanted: WantedPicture, until end: MonotonicTime? = nil, rememberingFailures memory: Int64 = 0
    ) async throws -> StoredPicture {
        try await database.notices.watching(PictureJob.name) { bell in
            if let failure = try await enqueue(wanted, failedAfter: memory) { throw failure }
            var tries = 1
            while true {
                let count = bell.count
                switch try await progress(of: wanted) {
                case .made(let picture): return picture
                case .failed(let error): throw error
                case .outdated:
                    guard tries < Self.maximumTries else { throw PhotoError.noPicture(wanted.id, .waiting) }
                    tries += 1
                    _ = try await enqueue(wanted)
                case .waiting: await bell.wait(after: count, timeout: Self.longestWait)
                }
                try Task.checkCancellation()
                if database.notices.isClosed { throw PhotoError.stopping }
                if let end, end <= .now { throw PhotoError.late(wanted.id) }
            }
        }
    }

    /// Gives the answer instead, if it failed a short while ago.
    private func enqueue(_ wanted: WantedPicture, failedAfter memory: Int64 = 0) async throws -> RPCError? {
        let time = clock.unixMilliseconds
        return try await write { transaction throws(SQLError) -> RPCError? in
            if memory > 0 {
                if let failure = try transaction.failure(of: wanted, since: time - memory) { return failure }
                // It was made since it was looked for.
                if try transaction.picture(wanted.id, wanted.size) != nil { return nil }
            }
            if try !transaction.isComing(wanted) {
                try transaction.enqueue(PictureJob.name, wanted.key, at: time)
            }
            return nil
        }
    }

    /// A job that is over has left the picture, or the answer for who asked.
    private func progress(of wanted: WantedPicture) async throws -> Progress {
        let progress = try await read { transaction throws(SQLError) -> Progress? in
            if try transaction.isComing(wanted) { return .waiting }
            if let failure = try transaction.failure(of: wanted) { return .failed(failure) }
            if let picture = try transaction.picture(wanted.id, wanted.size) { return .made(picture) }
            guard let state = try transaction.photo(wanted.id)?.picture.state else { return nil }
            // An album may have waited for it.
            let isOver = state == .failed && wanted.size.isThumbnail
            if !isOver, try transaction.original(wanted.id) != nil { return .outdated }
            return .failed(PhotoError.noPicture(wanted.id, state).rpcError)
        }
        guard let progress else { throw PhotoError.noPhoto(wanted.id) }
        return progress
    }
}

extension PhotoSchema {
    /// The answers to those who asked for pictures that could not be made: `code` is the status of a call.
    static let failures = Migration(
        "0.2.0 pictures that could not be made",
        """
        CREATE TABLE picture_failures (
            key TEXT PRIMARY KEY,
            code BIGINT NOT NULL,
            message TEXT NOT NULL,
            failed_ms BIGINT NOT NULL
        );
        CREATE INDEX picture_failures_by_time ON picture_failures (failed_ms);
        """)
}

extension Transaction {
    /// Keeps the answer for those who wait for a picture that could not be made.
    func setFailure(_ error: RPCError, of key: String, at time: Int64) throws(SQLError) {
        try execute(
            """
            INSERT INTO picture_failures (key, code, message, failed_ms) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (key) DO UPDATE SET code = excluded.code, message = excluded.message,
                failed_ms = excluded.failed_ms
            """, key, Int64(error.code.rawValue), error.message, time)
    }

    /// The next try may succeed.
    func dropFailure(of key: String) throws(SQLError) {
        try execute("DELETE FROM picture_failures WHERE key = ?1", key)
    }

    /// Deletes answers from before `time`, at most `limit` of them; returns how many.
    func dropFailures(before time: Int64, limit: Int) throws(SQLError) -> Int {
        try change(
            """
            DELETE FROM picture_failures WHERE key IN
                (SELECT key FROM picture_failures WHERE failed_ms < ?1 ORDER BY failed_ms LIMIT ?2)
            """, time, limit)
    }

    /// Whether it is being made, for who asks or for an album.
    fileprivate func isComing(_ wanted: WantedPicture) throws(SQLError) -> Bool {
        if try isQueued(PictureJob.name, wanted.key) { return true }
        guard wanted.size.isThumbnail else { return false }
        return try isQueued(CopyJob.name, wanted.id.text)
    }

    private func isQueued(_ kind: String, _ key: String) throws(SQLError) -> Bool {
        try first("SELECT 1 FROM jobs WHERE kind = ?1 AND key = ?2", kind, key) {
            row throws(SQLError) in try row.integer(0)
        } != nil
    }

    /// - Parameter time: an older one is none.
    fileprivate func failure(of wanted: WantedPicture, since time: Int64 = 0) throws(SQLError) -> RPCError? {
        try first("SELECT code, message FROM picture_failures WHERE key = ?1 AND failed_ms >= ?2", wanted.key, time) {
            row throws(SQLError) in
            RPCError(RPCCode(rawValue: UInt32(clamping: try row.integer(0))) ?? .unknown, try row.text(1))
        }
    }
}
