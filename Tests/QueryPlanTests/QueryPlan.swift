/// How a database would run a statement.
struct QueryPlan {
    let statement: SQLText
    /// The tables that it would read from one end to the other; in order counts too.
    var scanned: Set<String> = []
    /// Why it would not run it.
    var refusal: String?

    init(_ statement: SQLText) { self.statement = statement }
}
