import Crypto
package import Daemon
import FieldRules
import RPC
import Stores
package import Storage
import Wire

/// All accounts and their sessions, in the database of the pins.
package struct AccountStore: Sendable {
    let database: Database
    let hasher: PasswordHasher
    let clock: WallClock
    /// Shows of a token that this deployment has made it.
    let key: DeploymentKey
    let signUp: SignUpRule
    /// Whether messages that are queued are sent.
    let sendsMail: Bool
    /// Whether one can log in with a password.
    package var takesPasswords = true
    var lifetimes = Lifetimes()

    /// - Parameter sessionMilliseconds: how long a session lasts that is not used.
    package init(
        _ database: Database, _ hasher: PasswordHasher, clock: WallClock, key: DeploymentKey, signUp: SignUpRule,
        sendsMail: Bool = false, sessionMilliseconds: Int64? = nil
    ) {
        self.database = database
        self.hasher = hasher
        self.clock = clock
        self.key = key
        self.signUp = signUp
        self.sendsMail = sendsMail
        if let sessionMilliseconds { lifetimes.session = sessionMilliseconds }
    }

    /// Milliseconds since 1970.
    var now: Int64 { clock.unixMilliseconds }

    func read<Value: Sendable>(
        _ context: CallContext,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws(StoreError) -> Value {
        try await StoreError.converting("accounts") { () async throws(SQLError) in
            try await database.read(deadline: context.storageDeadline, body)
        }
    }

    /// Runs as if it were alone.
    func write<Value: Sendable>(
        _ context: CallContext,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws(StoreError) -> Value {
        try await StoreError.converting("accounts") { () async throws(SQLError) in
            try await database.write(deadline: context.storageDeadline, body)
        }
    }
}

/// Where a call comes from, as the account's owner sees it.
struct Visitor: Sendable {
    /// Empty when it is not known.
    let address: String
    /// As the device names itself; may be empty.
    let device: String

    init(address: String, device: String) {
        self.address = address
        self.device = device
    }

    init(_ context: CallContext, device: String) {
        address = context.identity?.client ?? ""
        self.device = FieldText.line(device)
    }
}

/// A session that is about to begin, with its token.
struct SessionDraft: Sendable {
    let session: StoredSession
    let secret: Secret
    let event: SecurityEvent

    /// - Parameter kind: what the account's owner reads about it.
    init(
        _ account: String, _ visitor: Visitor, _ store: AccountStore, _ kind: SecurityEvent.Kind = .loggedIn,
        roles: Roles = .ofAccounts, deploymentToken: [UInt8] = []
    ) {
        let now = store.now
        secret = .token(.session, store.key)
        session = StoredSession(
            id: RandomID.make(), account: account, roles: roles.rawValue, device: visitor.device,
            address: visitor.address, createdMilliseconds: now, usedMilliseconds: now,
            expiresMilliseconds: now + store.lifetimes.session, deploymentToken: deploymentToken)
        event = SecurityEvent(
            id: RandomID.make(), time: now, kind: kind, account: account, address: visitor.address,
            device: visitor.device)
    }
}

extension Transaction {
    /// Begins a session, and notes it for the account's owner.
    func begin(_ draft: SessionDraft) throws(SQLError) {
        try insert(draft.session, digest: draft.secret.digest)
        try record(draft.event)
    }
}
