import TestTools

/// Plans of a schema of PostgreSQL, for any values of the parameters, as far as indexes allow: where it reads a whole
/// table all the same, no index serves.
enum PostgresPlans {
    static func of(_ statements: [SQLText], in schema: String) throws -> [QueryPlan] {
        var script = """
            SET search_path TO \(schema); SET plan_cache_mode TO force_generic_plan; SET enable_seqscan TO off;
            SET enable_bitmapscan TO off;

            """
        for (index, statement) in statements.enumerated() {
            let values = Array(repeating: "NULL", count: statement.parameterCount).joined(separator: ", ")
            script += """
                \\echo @\(index)
                PREPARE asked AS \(statement.forPostgres);
                EXPLAIN (COSTS OFF) EXECUTE asked\(values.isEmpty ? "" : "(\(values))");
                DEALLOCATE asked;

                """
        }
        let parts = try PostgresServer.shared.get().answer(script).split(
            separator: "@", omittingEmptySubsequences: false
        ).dropFirst()
        return zip(statements, parts).map { statement, part in plan(of: statement, part.split(separator: "\n")) }
    }

    private static func plan(of statement: SQLText, _ lines: [Substring]) -> QueryPlan {
        var plan = QueryPlan(statement)
        plan.refusal = lines.first { $0.contains("ERROR:") }.map(String.init)
        for (index, line) in lines.enumerated() {
            let words = line.split(separator: " ").map(String.init)
            guard let scan = words.firstIndex(of: "Scan"), let on = words.firstIndex(of: "on"), on > scan,
                on + 1 < words.count, ["Seq", "Index", "Only"].contains(words[max(0, scan - 1)])
            else { continue }
            // What it looks up stands below, before the next step.
            let below = lines[(index + 1)...].prefix { !$0.contains("->") && !$0.contains("SubPlan") }
            if !below.contains(where: { $0.contains("Index Cond:") }) { plan.scanned.insert(words[on + 1]) }
        }
        return plan
    }
}
