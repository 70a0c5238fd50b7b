internal import EventLoops
internal import Storage

/// What an administrator has said about a network.
struct SwitchRecord: Equatable, Sendable {
    let network: String
    let isOn: Bool
    /// Whom the network may write to; empty when that was not said.
    let contact: String
    let account: String
    let changedMilliseconds: Int64
    /// A later record has a greater one. Set by the database.
    var version: Int64 = 0
}

extension DatabaseLedger {
    /// What is watched by those who follow the switches.
    package static let switches = "network switches"

    func switches() async throws(SQLError) -> [SwitchRecord] {
        try await database.read { transaction throws(SQLError) in try transaction.switches() }
    }

    /// Stores what an administrator said, and what follows from it.
    func put(
        _ record: SwitchRecord, _ also: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Void
    ) async throws(SQLError) {
        try await database.write(scope) { transaction throws(SQLError) in
            try transaction.putSwitch(record)
            try also(transaction)
        }
    }

    func watchingSwitches(_ body: (Bell) async -> Void) async {
        await database.notices.watching(Self.switches, body)
    }
}

extension Transaction {
    fileprivate func switches() throws(SQLError) -> [SwitchRecord] {
        try rows("SELECT network, is_on, contact, account, changed_ms, version FROM network_switches") {
            row throws(SQLError) in
            SwitchRecord(
                network: try row.text(0), isOn: try row.bool(1), contact: try row.text(2), account: try row.text(3),
                changedMilliseconds: try row.integer(4), version: try row.integer(5))
        }
    }

    /// A contact that is not said again stays.
    fileprivate func putSwitch(_ record: SwitchRecord) throws(SQLError) {
        try execute(
            """
            INSERT INTO network_switches (network, is_on, contact, account, changed_ms, version)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (network) DO UPDATE SET is_on = excluded.is_on, account = excluded.account,
                contact = CASE WHEN excluded.contact = '' THEN network_switches.contact ELSE excluded.contact END,
                changed_ms = excluded.changed_ms, version = excluded.version
            """, record.network, record.isOn, record.contact, record.account, record.changedMilliseconds,
            try nextVersion(of: DatabaseLedger.switches))
    }
}
