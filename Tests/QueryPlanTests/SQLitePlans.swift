import CSQLite

/// Plans of a file of SQLite.
enum SQLitePlans {
    static func of(_ statements: [SQLText], in path: String) -> [QueryPlan] {
        var database: OpaquePointer?
        guard unsafe sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else { return [] }
        defer { unsafe _ = sqlite3_close_v2(database) }
        let tables = unsafe Set(column(0, of: "SELECT name FROM sqlite_schema", database) ?? [])
        return statements.map { unsafe plan(of: $0, tables, database) }
    }

    private static func plan(
        of statement: SQLText, _ tables: Set<String>, _ database: OpaquePointer?
    ) -> QueryPlan {
        var plan = QueryPlan(statement)
        guard let steps = unsafe column(3, of: "EXPLAIN QUERY PLAN \(statement.text)", database) else {
            plan.refusal = unsafe String(cString: sqlite3_errmsg(database))
            return plan
        }
        // "SCAN pins", "SCAN pins USING INDEX …"; what the statement itself makes is no table.
        for step in steps.map({ $0.split(separator: " ").map(String.init) }) where step.count > 1 && step[0] == "SCAN" {
            let table = statement.table(called: step[1])
            if tables.contains(table) { plan.scanned.insert(table) }
        }
        return plan
    }

    /// A column of all rows; nil when the statement is refused.
    private static func column(_ number: Int32, of sql: String, _ database: OpaquePointer?) -> [String]? {
        var prepared: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(database, sql, -1, &prepared, nil) == SQLITE_OK else { return nil }
        defer { unsafe _ = sqlite3_finalize(prepared) }
        var texts: [String] = []
        while unsafe sqlite3_step(prepared) == SQLITE_ROW {
            texts.append(unsafe String(cString: sqlite3_column_text(prepared, number)))
        }
        return texts
    }
}
