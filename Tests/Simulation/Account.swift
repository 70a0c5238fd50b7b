import Contracts
import RPC
import Synchronization

/// An account of a world, and what it calls with.
struct Account: Sendable, Hashable {
    let name: String
    /// Empty for the profile that a gateway has which is open.
    let token: String

    static let open = Account(name: "the open profile", token: "")

    /// Makes one. To be called before anything goes wrong.
    static func signUp(_ number: Int, _ client: RPCClient) async throws -> Account {
        let request = SignUpRequest(email: "account\(number)@example.org", password: "correct horse \(number)")
        let answer = try await AccountServiceClient(client).signUp(request, CallOptions(timeout: .seconds(60)))
        return Account(name: "account \(number)", token: answer.session?.token ?? "")
    }
}

/// Whose each pin is: no other account may be answered with it.
final class Owners: Sendable {
    private let accounts = Mutex<[String: Account]>([:])

    func note(_ pin: String, _ account: Account) { accounts.withLock { $0[pin] = account } }

    /// Pins that others have, in an order that does not depend on the run.
    func others(than account: Account) -> [String] {
        accounts.withLock { accounts in accounts.filter { $0.value != account }.map(\.key).sorted() }
    }

    /// What an account was answered with, and is not its own.
    func strange(_ pins: [String], to account: Account) -> [String] {
        accounts.withLock { accounts in
            pins.compactMap { pin in
                guard let owner = accounts[pin], owner != account else { return nil }
                return "\(account.name) is answered with \(pin) of \(owner.name)"
            }
        }
    }
}
