import RPC
import WholeSystem

/// The accounts of a world, what each watches, and who calls for them.
struct People: Sendable {
    let accounts: [Account]
    let watchers: [Account: Watcher]
    private let rpc: RPCClient
    private let picture: [UInt8]
    private let found: Findings
    private let owners = Owners()

    /// Waits until the system answers, and makes the accounts.
    init(_ plan: Plan, _ rpc: RPCClient, _ picture: [UInt8], _ found: Findings) async throws {
        (self.rpc, self.picture, self.found) = (rpc, picture, found)
        try await Client(client: rpc, account: .open, number: 0, picture: picture, faults: found, owners: owners).scan()
        var accounts = [Account.open]
        for number in 0..<plan.accounts { accounts.append(try await Account.signUp(number + 1, rpc)) }
        self.accounts = accounts
        watchers = Dictionary(uniqueKeysWithValues: accounts.map { ($0, Watcher(rpc, $0, found)) })
    }

    func client(_ account: Account, _ number: Int) -> Client {
        Client(client: rpc, account: account, number: number, picture: picture, faults: found, owners: owners)
    }

    /// Those who make changes: the accounts have them in turn.
    func clients(_ count: Int) -> [Client] { (1...count).map { client(accounts[$0 % accounts.count], $0) } }

    /// Each account watches all that it has.
    func watch() -> [Task<Void, Never>] {
        accounts.compactMap { watchers[$0] }.map { watcher in
            Task {
                do {
                    try await watcher.run()
                } catch let error where !(error is CancellationError) {
                    found.add("the watch: \(error)")
                } catch {}
            }
        }
    }
}
