package import Storage

extension Transaction {
    /// The standing of a network, or of another server, by its name.
    package func standing(_ name: String) throws(SQLError) -> NetworkStanding {
        try first(
            """
            SELECT slot_us, day, day_count, failures, closed_until_ms, failure_kind, failure_reason
            FROM network_standings WHERE network = ?1
            """, name
        ) { row throws(SQLError) in
            let kind = try row.optionalInteger(5).flatMap { AskFailure.Kind(rawValue: $0) }
            let reason = try row.text(6)
            // On this machine's clock, as others may have another.
            return NetworkStanding(
                slotMicroseconds: Self.moved(try row.integer(0), by: -clockLead, 1_000), day: try row.integer(1),
                dayCount: try row.integer(2), failures: try row.integer(3),
                closedUntil: Self.moved(try row.integer(4), by: -clockLead, 1),
                lastFailure: kind.map { AskFailure($0, reason) })
        } ?? NetworkStanding()
    }

    package func putStanding(_ standing: NetworkStanding, of name: String) throws(SQLError) {
        try execute(
            """
            INSERT INTO network_standings
                (network, slot_us, day, day_count, failures, closed_until_ms, failure_kind, failure_reason)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT (network) DO UPDATE SET slot_us = excluded.slot_us, day = excluded.day,
                day_count = excluded.day_count, failures = excluded.failures,
                closed_until_ms = excluded.closed_until_ms, failure_kind = excluded.failure_kind,
                failure_reason = excluded.failure_reason
            """, name, Self.moved(standing.slotMicroseconds, by: clockLead, 1_000), standing.day,
            standing.dayCount, standing.failures, Self.moved(standing.closedUntil, by: clockLead, 1),
            standing.lastFailure?.kind.rawValue, standing.lastFailure?.reason ?? "")
    }

    /// A time moved by milliseconds, of which it has `units` each; 0 means no time.
    private static func moved(_ time: Int64, by milliseconds: Int64, _ units: Int64) -> Int64 {
        guard time != 0 else { return 0 }
        let (step, isFar) = milliseconds.multipliedReportingOverflow(by: units)
        let (moved, overflow) = time.addingReportingOverflow(step)
        return isFar || overflow ? time : moved
    }
}
