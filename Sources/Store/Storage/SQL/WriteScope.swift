/// What a writing transaction reads before it writes, so that an engine with several writers can keep it right cheaply.
/// SQLite has one writer, and needs none of this.
package enum WriteScope: Equatable, Sendable {
    /// Anything: it runs as if it were alone. When others change what it reads, it is undone and run again.
    case everything
    /// Only what belongs to a subject, such as an account. Transactions of one subject wait for each other, whichever
    /// replica runs them, and are not run again. The store needs `SubjectSchema`.
    case subject(String)
    /// Each of its statements decides by itself, on rows that it changes or locks.
    case statements
    /// It has one statement, which is a transaction by itself: a server is asked once, and not once more for the end.
    case statement
}

/// What a reading transaction sees.
package enum ReadScope: Sendable {
    /// One unchanging snapshot of the data.
    case snapshot
    /// The data as its only statement sees them: a server is asked once, and begins and ends nothing.
    case statement
}
