internal import CPQ

// The server stops whatever a connection runs when it takes a request to stop, which comes on another connection. A
// statement may end by itself before: so nothing more is sent on a connection until the server has taken the request,
// or the next statement would be stopped in place of the one that was meant.

extension PostgresSession {
    /// How long a statement that is to stop may take to do so, and the server to take that.
    private static let stopLimit = Duration.seconds(1)

    /// Asks the server to stop the running statement.
    func requestStop() {
        guard cancel == nil else { return }
        let cancel = unsafe PostgresCancel(PQgetCancel(handle))
        cancel.send()
        self.cancel = cancel
    }

    /// Asks the server to stop the statement, and waits until it has. Without an answer the connection is of no use.
    func stop() {
        requestStop()
        let end = ContinuousClock.now + Self.stopLimit
        _ = try? collect { () throws(SQLError) in
            if ContinuousClock.now >= end { throw SQLError(.away, "the server does not stop") }
        }
    }

    /// Waits until the server has taken the request to stop, if there is one. When it does not take it, the connection
    /// is given up.
    func awaitCancel() {
        guard let cancel else { return }
        self.cancel = nil
        let isRunning = unsafe PQtransactionStatus(handle) == PQTRANS_ACTIVE
        isGivenUp = isRunning || !cancel.isTaken(by: .now + Self.stopLimit)
    }
}
