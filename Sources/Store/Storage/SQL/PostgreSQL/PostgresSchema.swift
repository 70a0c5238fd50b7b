/// The schema with the tables of one service, made and upgraded at its start. Replicas that start at once take turns.
struct PostgresSchema {
    /// Two that make the same thing at once get an error for it; the second time it is there.
    private static let maximumRuns = 5

    let connection: PostgresConnection

    func upgrade(_ migrations: [Migration]) throws(SQLError) {
        for run in 1... {
            do throws(SQLError) {
                try connection.connect()
                try make()
                return try SchemaUpgrade(
                    connection: connection, isMovedInto: connection.settings.isMovedInto
                ).run(migrations)
            } catch {
                connection.rollBack()
                guard run < Self.maximumRuns, error.code == .conflict || error.code == .constraint(.unique) else {
                    throw error
                }
            }
        }
    }

    /// A user that may not make schemas can be given one.
    private func make() throws(SQLError) {
        let schema = connection.address.schema
        let isThere = try connection.hasSchema()
        if !isThere { try connection.control("CREATE SCHEMA IF NOT EXISTS \"\(schema)\"") }
    }
}
