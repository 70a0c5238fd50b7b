import Bytes

/// Maps PostgreSQL's error codes (https://www.postgresql.org/docs/15/errcodes-appendix.html) to our closed list.
enum PostgresFailure {
    static func error(_ state: String, at place: String, cause: String) -> SQLError {
        let words = cause.split(at: "\n").joined(separator: "; ")
        if let constraint = constraint(state) {
            return SQLError(.constraint(constraint), "a rule of the database was broken: \(words)", cause: words)
        }
        let (kind, advice) = judge(state)
        return SQLError(kind, "database \(place): \(advice)", cause: state.isEmpty ? words : "\(words), code \(state)")
    }

    /// The error for a connection that did not come about. libpq gives no code for it, only the server's words.
    static func noConnection(at place: String, cause: String) -> SQLError {
        let passing = ["starting up", "shutting down", "recovery", "too many clients", "connection slots"]
        let lasting = ["FATAL", "password", "SSL"]
        guard lasting.contains(where: cause.contains), !passing.contains(where: cause.contains) else {
            return error("", at: place, cause: cause)
        }
        return SQLError(
            .refused,
            "database \(place): the server refuses the connection; check the user, the password, the database's name and "
                + "how encryption is set", cause: cause.split(at: "\n").joined(separator: "; "))
    }

    private static func constraint(_ state: String) -> SQLError.Constraint? {
        switch state {
        case "23505": .unique
        case "23503": .foreignKey
        case "23502": .notNull
        case "23514": .check
        default: nil
        }
    }

    private static func judge(_ state: String) -> (SQLError.Code, String) {
        switch state {
        case "40001", "40P01": (.conflict, "it was changed by others again and again; try again")
        // IF NOT EXISTS looks first, and another may make it then.
        case "42P06", "42P07", "42710": (.conflict, "another replica has just made the same; try again")
        case "57014": (.deadlineExceeded, "a statement took longer than the server allows")
        case "55P03": (.locked, "another connection has locked it; try again")
        case "53100": (.full, "the server's disk is full; free space there and try again")
        case "53200": (.outOfMemory, "the server's memory ran out")
        case "25006": (.readOnly, "it can only be read: this is a reading transaction, or the server a standby")
        case "42501": (.cannotOpen, "this user lacks a right; it must own the schema, or may create one")
        case "XX001", "XX002": (.corrupt, "the server's data is damaged; restore it from a backup")
        case "58030": (.io, "the server's disk failed; check its log")
        case "", "57P01", "57P02", "57P03", "57P05", "53300", "25P03": (.away, "the server does not answer")
        case _ where state.begins(with: "08"): (.away, "the connection to the server broke")
        default: (.misuse, "a statement is wrong")
        }
    }
}
