internal import CPQ
internal import Glibc

/// One open connection to a server, closed in `deinit`. Nothing here blocks for longer than `wait` allows.
@safe
final class PostgresSession {
    /// Called every so often while the server is waited for: an error ends the wait.
    typealias Look = () throws(SQLError) -> Void

    /// How long the thread sleeps before it looks again whether its caller still waits.
    private static let slice: Int32 = 20

    let handle: OpaquePointer
    let place: String
    /// Statements that are sent with the next one that is waited for.
    var queue = StatementQueue()
    /// The result of the queued statement that was to be kept.
    private var kept: PostgresResult?
    /// Whether the server has answered anything since a transaction was begun.
    var hasAnswered = false
    /// How often the server was waited for.
    var waits = 0
    /// The request to stop a statement, until the server has taken it.
    var cancel: PostgresCancel?
    /// Whether nothing more may be sent here.
    var isGivenUp = false
    private let warnings = PostgresWarnings()

    /// Connects within `limit`.
    init(
        _ address: PostgresAddress, limit: Duration, look: Look
    ) throws(SQLError) {
        let password = try address.password()
        // What the URL names comes behind the defaults, and before what must be so.
        let parameters: [(String, String?)] = [
            ("target_session_attrs", "read-write"), ("tcp_user_timeout", "10000"), ("keepalives_idle", "10"),
            ("fallback_application_name", "waymark \(address.schema)"), ("dbname", address.url),
            ("password", password), ("client_encoding", "UTF8"),
        ]
        place = address.place
        guard let handle = unsafe Self.start(parameters.filter { $0.1 != nil }) else {
            throw SQLError(.outOfMemory, "memory ran out")
        }
        unsafe self.handle = handle
        try connect(limit, look)
        unsafe PQsetnonblocking(handle, 1)
        unsafe warnings.listen(to: handle)
    }

    deinit { unsafe PQfinish(handle) }

    /// Whether the connection can be used.
    var isOpen: Bool { unsafe PQstatus(handle) == CONNECTION_OK && !isGivenUp }
    private var isBroken: Bool { unsafe PQstatus(handle) == CONNECTION_BAD }
    /// Whether a transaction is open, and has not failed as far as it was sent.
    var isInTransaction: Bool {
        queue.isEmpty ? unsafe PQtransactionStatus(handle) == PQTRANS_INTRANS : queue.endsInTransaction
    }
    /// Whether there is nothing to roll back.
    var isIdle: Bool { unsafe PQtransactionStatus(handle) == PQTRANS_IDLE }
    /// 150018 for 15.18.
    var serverVersion: Int { unsafe Int(PQserverVersion(handle)) }
    /// libpq's words for the last failure.
    var message: String { unsafe PQerrorMessage(handle).map { unsafe String(cString: $0) } ?? "" }

    /// Runs one or several statements without parameters.
    func run(_ sql: String, look: Look) throws(SQLError) -> PostgresResult {
        try settle(look)
        return try result(of: unsafe PQsendQuery(handle, sql), look)
    }

    func prepare(_ name: String, _ sql: String, _ types: [Oid], look: Look) throws(SQLError) {
        try settle(look)
        let sent = unsafe types.withUnsafeBufferPointer {
            unsafe PQsendPrepare(handle, name, sql, Int32($0.count), $0.baseAddress)
        }
        _ = try result(of: sent, look)
    }

    func run(prepared name: String, _ parameters: PostgresParameters, look: Look) throws(SQLError) -> PostgresResult {
        try result(of: send(prepared: name, parameters), look)
    }

    func send(prepared name: String, _ parameters: PostgresParameters) -> Int32 {
        unsafe parameters.withLists { addresses, lengths, formats in
            unsafe PQsendQueryPrepared(
                handle, name, Int32(parameters.types.count), addresses, lengths, formats, 1)
        }
    }

    /// Notifications of other sessions, which have come or come within so many milliseconds.
    func notifications(milliseconds: Int32) throws(SQLError) -> [String] {
        // Some may have come with the answer to a statement.
        let texts = takeNotifications()
        guard texts.isEmpty, wait(for: Int16(POLLIN), milliseconds: milliseconds) else { return texts }
        guard unsafe PQconsumeInput(handle) == 1 else { throw broken() }
        return takeNotifications()
    }

    private func takeNotifications() -> [String] {
        var texts: [String] = []
        while let notice = unsafe PQnotifies(handle) {
            if let text = unsafe notice.pointee.extra { texts.append(unsafe String(cString: text)) }
            unsafe PQfreemem(notice)
        }
        return texts
    }

    /// This is a storage thread: sleeping here delays no other work.
    static func pause(milliseconds: Int32) { _ = poll(nil, 0, milliseconds) }

    /// The last result of what was sent, behind what was queued. A failure that `look` throws stops the statement.
    func result(of sent: Int32, _ look: Look) throws(SQLError) -> PostgresResult {
        guard sent == 1, queue.isEmpty || (unsafe PQpipelineSync(handle)) == 1 else { throw broken() }
        defer { awaitCancel() }
        do throws(SQLError) {
            return try collect(look)
        } catch {
            // The server is asked to stop, and answers so; a connection on which nothing comes is given up.
            if unsafe PQtransactionStatus(handle) == PQTRANS_ACTIVE { stop() }
            throw error
        }
    }

    func collect(_ look: Look) throws(SQLError) -> PostgresResult {
        var last: PostgresResult?
        var count = 0
        waits += 1
        _ = warnings.take()
        while true {
            try waitForResult(look)
            guard let next = unsafe PQgetResult(handle) else {
                // Between the statements of a queue there is none, too.
                if queue.isEmpty || isBroken { break } else { continue }
            }
            let result = unsafe PostgresResult(owning: next)
            if result.isSync {
                leaveQueue()
                break
            }
            if count == queue.kept { kept = result }
            count += 1
            // Of several statements, the first that failed says why.
            if last.map(\.isFine) ?? true { last = result }
        }
        guard let last else { throw broken() }
        hasAnswered = true
        guard last.isFine || last.isEmptyQuery else {
            throw PostgresFailure.error(last.errorCode, at: place, cause: last.errorMessage)
        }
        guard !warnings.take() else {
            throw SQLError(.away, "the change is at \(place), but maybe at no standby: ask again")
        }
        return last
    }

    /// The result of the queued statement that was to be kept, if it has come.
    func takeKept() -> PostgresResult? {
        defer { kept = nil }
        return kept
    }

    private func waitForResult(_ look: Look) throws(SQLError) {
        while true {
            let left = unsafe PQflush(handle)
            guard left >= 0 else { throw broken() }
            if left == 0, unsafe PQisBusy(handle) == 0 { return }
            let events = Int16(POLLIN) | (left > 0 ? Int16(POLLOUT) : 0)
            if wait(for: events, milliseconds: Self.slice) {
                guard unsafe PQconsumeInput(handle) == 1 else { throw broken() }
            } else {
                try look()
            }
        }
    }

    /// Whether the socket became ready.
    private func wait(for events: Int16, milliseconds: Int32) -> Bool {
        var poll = pollfd(fd: unsafe PQsocket(handle), events: events, revents: 0)
        return unsafe Glibc.poll(&poll, 1, milliseconds) > 0
    }

    func broken() -> SQLError { PostgresFailure.error("", at: place, cause: message) }

    private func connect(_ limit: Duration, _ look: Look) throws(SQLError) {
        let end = ContinuousClock.now + limit
        // It may have failed at once: then there is no socket to wait for.
        var state = isBroken ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            guard state != PGRES_POLLING_FAILED else { throw refused() }
            let events = Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT)
            while !wait(for: events, milliseconds: Self.slice) {
                try look()
                guard ContinuousClock.now < end else {
                    throw PostgresFailure.error("", at: place, cause: "no answer within \(limit)")
                }
            }
            state = unsafe PQconnectPoll(handle)
        }
    }

    private func refused() -> SQLError { PostgresFailure.noConnection(at: place, cause: message) }

    @unsafe
    private static func start(_ parameters: [(String, String?)]) -> OpaquePointer? {
        var (keys, values): ([UnsafePointer<CChar>?], [UnsafePointer<CChar>?]) = unsafe ([], [])
        for (key, value) in parameters {
            unsafe keys.append(UnsafePointer(strdup(key)))
            unsafe values.append(UnsafePointer(strdup(value ?? "")))
        }
        defer {
            unsafe (keys + values).forEach { text in unsafe free(UnsafeMutablePointer(mutating: text)) }
        }
        return unsafe PQconnectStartParams(keys + [nil], values + [nil], 1)
    }
}
