package import AccountContracts
import Crypto
import Daemon
package import RPC
import Storage
import Wire

// How sessions begin and end.

extension AccountHandler {
    package func logIn(_ request: LogInRequest, _ context: CallContext) async throws -> LogInResponse {
        let email = try EmailAddress(request.email)
        let password = Password(request.password)
        let visitor = Visitor(context, device: request.device)
        try store.checkPasswordsAreTaken()
        return LogInResponse(session: try await logIn(email, password, visitor, context))
    }

    package func logOut(_ request: LogOutRequest, _ context: CallContext) async throws -> LogOutResponse {
        // One that was made up has no session, and is no reason to write.
        guard BearerToken.isGenuine(request.token, store.key) else { return LogOutResponse() }
        let (digest, now) = (SHA256.digest(Array(request.token.utf8)), store.now)
        let visitor = Visitor(context, device: "")
        let event = RandomID.make()
        try await store.write(context) { transaction throws(SQLError) in
            guard let session = try transaction.end(digest) else { return }
            try transaction.record(
                SecurityEvent(
                    id: event, time: now, kind: .loggedOut, account: session.account, address: visitor.address,
                    device: session.device))
        }
        return LogOutResponse()
    }

    /// Compares a password and begins a session.
    func logIn(
        _ email: EmailAddress, _ password: Password, _ visitor: Visitor, _ context: CallContext
    ) async throws -> NewSession {
        let found = try await attempt(email, visitor, context)
        let (match, renewed) = try await store.database.counted(found.counts) {
            let match = try await store.hasher.compare(password, with: found.account?.password, context)
            return (match, match == .outdated ? try await store.hasher.hash(password, context) : nil)
        }
        guard match != .wrong, let (account, hash) = found.account, !account.isLocked else {
            throw try await failed(found.account?.account, visitor, context)
        }
        let draft = SessionDraft(account.id, visitor, store)
        let isStill = try await store.write(context) { transaction throws(SQLError) in
            // It may have been locked, or got another password, while this one was compared.
            guard let now = try transaction.account(email), now.password == hash, !now.0.isLocked else { return false }
            try transaction.succeeded(found.counts)
            if let renewed { try transaction.renewPassword(renewed, inPlaceOf: hash, of: account.id) }
            try transaction.begin(draft)
            return true
        }
        guard isStill else { throw try await failed(account, visitor, context) }
        return NewSession(draft, account)
    }

    /// An attempt that was counted.
    private struct Attempt: Sendable {
        let account: (account: Account, password: String)?
        let counts: [AttemptCount]
    }

    /// Counts an attempt, and refuses it after too many.
    private func attempt(
        _ email: EmailAddress, _ visitor: Visitor, _ context: CallContext
    ) async throws -> Attempt {
        let (now, name) = (store.now, SHA256.text(email.key))
        let result = try await store.write(context) {
            transaction throws(SQLError) -> Result<Attempt, TooManyAttempts> in
            let account = try transaction.account(email)
            var counts: [AttemptCount] = [
                .ofAddress(visitor.address), .ofAccount(name, at: visitor.address),
            ]
            let isKnown = try account.map { account throws(SQLError) in
                try transaction.isKnown(visitor.address, of: account.0.id)
            }
            if isKnown != true { counts.append(.ofAccount(name)) }
            if let wait = try transaction.attempt(counts, at: now) { return .failure(TooManyAttempts(wait: wait)) }
            return .success(Attempt(account: account.map { ($0, $1) }, counts: counts))
        }
        return try result.get()
    }

    /// The same for a wrong password and for an address without an account.
    private func failed(_ account: Account?, _ visitor: Visitor, _ context: CallContext) async throws -> RPCError {
        let event = SecurityEvent(
            id: RandomID.make(), time: store.now, kind: .logInFailed, account: account?.id ?? "",
            address: visitor.address, device: visitor.device)
        try await store.write(context) { transaction throws(SQLError) in try transaction.record(event) }
        return RPCError(.unauthenticated, "the e-mail address or the password is wrong")
    }
}

/// Too many wrong passwords.
package struct TooManyAttempts: Error, RPCErrorConvertible {
    /// Milliseconds until the next attempt is taken.
    let wait: Int64

    package init(wait: Int64) { self.wait = wait }

    package var rpcError: RPCError {
        let minutes = max(1, (wait + 59_999) / 60_000)
        return RPCError(
            .resourceExhausted,
            "too many attempts; try again in \(minutes) \(minutes == 1 ? "minute" : "minutes")",
            details: StatusDetails(retryAfterMs: UInt64(clamping: wait)))
    }
}

extension SHA256 {
    /// The digest of a text, as text.
    static func text(_ text: String) -> String {
        digest(Array(text.utf8)).reduce(into: "") { result, byte in
            result += String(byte >> 4, radix: 16) + String(byte & 0xf, radix: 16)
        }
    }
}
