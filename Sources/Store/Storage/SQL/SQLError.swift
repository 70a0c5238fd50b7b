/// What went wrong in storage, as data: a closed code to decide by, a message for people, and the engine's own message.
package struct SQLError: Error, Equatable, Sendable {
    /// The rule of the schema that a statement broke.
    package enum Constraint: Hashable, Sendable {
        /// A UNIQUE or PRIMARY KEY rule.
        case unique
        /// A reference to a row that isn't there, or the removal of a row that is referred to.
        case foreignKey
        /// NULL in a column that is NOT NULL.
        case notNull
        /// A CHECK expression that was false.
        case check
    }

    /// The closed list of reasons.
    package enum Code: Hashable, Sendable {
        /// The queue of waiting transactions is full: try again later.
        case busy
        /// Another process holds the database.
        case locked
        /// The database was closed.
        case closed
        /// The server can't be reached, or the connection to it broke. What was being committed may have been kept.
        case away
        /// The server is there and refuses the connection.
        case refused
        /// Others kept changing what the transaction read; nothing was changed.
        case conflict
        /// The calling task was cancelled; nothing was changed.
        case cancelled
        /// The deadline passed before the work was done; nothing was changed.
        case deadlineExceeded
        /// The disk, or the size allowed for the database, is full; nothing was changed.
        case full
        /// The file is damaged.
        case corrupt
        /// The file is not a database.
        case notADatabase
        /// A write where only reading is possible.
        case readOnly
        /// The file can't be opened or made.
        case cannotOpen
        /// Reading or writing the disk failed.
        case io
        /// A rule of the schema was broken; nothing was changed.
        case constraint(Constraint)
        /// A column holds another type than the one that was read, or NULL.
        case wrongType
        /// The SQL or the way it is called is wrong: a mistake of this program.
        case misuse
        /// The database's applied migrations and the program's don't agree.
        case migration
        /// Memory ran out.
        case outOfMemory
    }

    /// What to decide by.
    package let code: Code
    /// A sentence naming what it concerns, the value and what is allowed.
    package let message: String
    /// The engine's own words, for the log only.
    package let cause: String?

    /// An error with its sentence and, where the engine said something, its words.
    package init(_ code: Code, _ message: String, cause: String? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

extension SQLError: CustomStringConvertible {
    /// The sentence, followed by the engine's words.
    package var description: String { cause.map { "\(message) (\($0))" } ?? message }
}
