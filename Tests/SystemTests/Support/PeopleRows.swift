import Daemon
import Geo
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import Accounts
@testable import PinService

/// Accounts with a session and pins each, written as rows: to hash a password for each would take longer than a test.
struct PeopleRows: Sendable {
    /// A line for each account: the token of its session, and the ids of its pins.
    let lines: [String]

    /// Writes them where a pin service is going to keep its records.
    init(accounts: Int, pins: Int, in place: (address: String, schema: String)) async throws {
        var settings = DatabaseSettings()
        settings.schema = place.schema
        let database = try await Database.open(place.address, migrations: PinParts.migrations, settings: settings)
        let key = try #require(DeploymentKey(bytes: Hex.bytes(ServiceProcess.key)))
        let store = AccountStore(database, PasswordHasher(), clock: .system, key: key, signUp: .open)
        lines = try await database.write { transaction throws(SQLError) in
            var lines: [String] = []
            for number in 0..<accounts {
                lines.append(try Self.account(number, pins: pins, store, transaction).joined(separator: "\t"))
            }
            return lines
        }
        await database.close()
    }

    private static func account(
        _ number: Int, pins: Int, _ store: AccountStore, _ transaction: borrowing Transaction
    ) throws(SQLError) -> [String] {
        let account = Account(
            id: "account-\(number)", email: "", roles: Roles.user.rawValue, createdMilliseconds: store.now)
        guard let email = try? EmailAddress("account-\(number)@example.org") else { return [] }
        try transaction.insert(account, email, password: "")
        let session = SessionDraft(account.id, Visitor(address: "192.0.2.1", device: "test"), store)
        try transaction.begin(session)
        var columns = [session.secret.text]
        for turn in 0..<pins {
            guard let position = try? Coordinate(latitude: Double(turn) / 100, longitude: Double(number) / 100) else {
                return []
            }
            var pin = Pin(
                id: .make(unixMilliseconds: store.now), account: account.id, name: "Turn 0", isNamed: true,
                position: position, radiusMetres: 100, state: .ready, generation: 1, createdMilliseconds: store.now)
            // Its search has ended: nothing is searched for.
            pin.searches = [NetworkSearch(network: "catalog", generation: 1).done(placeCount: 0)]
            pin.version = try transaction.nextVersion(of: account.id)
            try transaction.insert(pin)
            columns.append("\(pin.id)")
        }
        return columns
    }
}
