/// The mark of a database that rows are still being moved into: a row among its migrations that no program knows. So
/// none starts on it, also none of an older version.
package enum MoveMark {
    static let name = "9999.0.0 waymark migrate has not ended"
    static let position: Int64 = -1

    static let refusal = SQLError(
        .migration,
        "the data is still being moved into this database: run the same waymark migrate again, which goes on where it was"
    )
    static let taken = SQLError(
        .migration, "the database has data that is not of a waymark migrate: name one without it, or remove it there")
}
