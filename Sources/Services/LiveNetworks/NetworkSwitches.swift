package import Daemon
internal import EventLoops
package import Storage
internal import Synchronization

/// The switches of the networks that a service can ask: as configured, until an administrator turns one. What an
/// administrator said is a row, which all replicas follow and a restart finds.
package final class NetworkSwitches: Sendable {
    /// The pause before rows that could not be read are read again.
    private static let pause = Duration.seconds(2)

    private let switches: [String: NetworkSwitch]
    private let configured: Set<String>
    private let contact: String
    private let ledger: DatabaseLedger
    private let clock: WallClock
    private let log: Log?
    private let records = Mutex<[String: SwitchRecord]>([:])

    /// - Parameters:
    ///   - available: the names of all networks that can be asked.
    ///   - configured: those that are on until an administrator says something else.
    ///   - contact: whom networks may write to; empty when none is configured.
    package init(
        _ available: [String], configured: Set<String>, contact: String, _ ledger: DatabaseLedger, _ clock: WallClock,
        log: Log? = nil
    ) {
        let switches = available.map { NetworkSwitch($0, isOn: configured.contains($0), contact: contact) }
        self.switches = Dictionary(uniqueKeysWithValues: switches.map { ($0.network, $0) })
        self.configured = configured
        self.contact = contact
        self.ledger = ledger
        self.clock = clock
        self.log = log
    }

    /// The switch of a network; nil when it can't be asked.
    package subscript(network: String) -> NetworkSwitch? { switches[network] }

    /// What an administrator has said last; nil when nothing.
    func record(of network: String) -> SwitchRecord? { records.withLock { $0[network] } }

    /// Turns a switch, durably. `also` is done in the same transaction, unless it stood like that already.
    /// - Parameter contact: empty for the one that is known.
    package func turn(
        _ network: NetworkSwitch, on isOn: Bool, contact: String, by account: String,
        also: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Void = { _ throws(SQLError) in }
    ) async throws {
        let isNews = network.isOn != isOn
        try await ledger.put(
            SwitchRecord(
                network: network.network, isOn: isOn, contact: contact, account: account,
                changedMilliseconds: clock.unixMilliseconds)
        ) { transaction throws(SQLError) in if isNews { try also(transaction) } }
        try await follow()
    }

    /// Brings the switches to the state of the rows.
    package func follow() async throws {
        let rows = try await ledger.switches()
        records.withLock { records in
            for row in rows where row.version > records[row.network]?.version ?? -1 { records[row.network] = row }
            let lastContact = records.values.filter { !$0.contact.isEmpty }.max { $0.version < $1.version }?.contact
            for network in switches.values {
                let record = records[network.network]
                let known = [record?.contact ?? "", contact, lastContact ?? ""].first { !$0.isEmpty }
                network.turn(on: record?.isOn ?? configured.contains(network.network), contact: known ?? "")
            }
        }
    }

    /// Follows the rows until the task is cancelled.
    package func run() async {
        await ledger.watchingSwitches { bell in
            while !Task.isCancelled {
                let rung = bell.count
                do {
                    try await follow()
                    await bell.wait(after: rung)
                } catch {
                    log?.warning("switches of networks can't be read now", ["reason": "\(error)"])
                    await bell.wait(after: rung, timeout: Self.pause)
                }
            }
        }
    }
}
