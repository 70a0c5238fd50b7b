package import AccountContracts
package import RPC
import Refusals
import Storage
import Wire

/// Answers gateways about the tokens of their clients.
package struct SessionHandler: SessionServiceHandler {
    let store: AccountStore

    package init(_ store: AccountStore) { self.store = store }

    package func checkToken(_ request: CheckTokenRequest, _ context: CallContext) async throws -> CheckTokenResponse {
        try Self.check(request.digest, "digest")
        let (digest, now) = (request.digest, store.now)
        let found = try await store.read(context) { transaction throws(SQLError) in
            try transaction.session(digest, at: now)
        }
        guard let (found, roles) = found else { return try await checkKey(digest, context) }
        var session = found
        if now - session.usedMilliseconds >= store.lifetimes.useStep {
            let end = now + store.lifetimes.session
            session.expiresMilliseconds = end
            try await store.write(context) { transaction throws(SQLError) in
                try transaction.use(digest, at: now, until: end)
            }
        }
        return CheckTokenResponse(
            account: session.account, roles: roles.list, session: session.id,
            expireTime: TimestampMessage(unixMilliseconds: session.expiresMilliseconds),
            deploymentToken: session.deploymentToken)
    }

    private func checkKey(_ digest: [UInt8], _ context: CallContext) async throws -> CheckTokenResponse {
        let now = store.now
        let found = try await store.read(context) { transaction throws(SQLError) in
            try transaction.apiKey(digest, at: now)
        }
        guard let (key, roles) = found else { throw RPCError(.notFound, "no session and no key has this token") }
        if now - key.usedMilliseconds >= Lifetimes.keyUseStep {
            try await store.write(context) { transaction throws(SQLError) in try transaction.useKey(digest, at: now) }
        }
        let end = key.expiresMilliseconds
        return CheckTokenResponse(
            account: key.account, roles: roles.list, session: key.id,
            expireTime: end == 0 ? nil : TimestampMessage(unixMilliseconds: end), apiKey: true,
            readOnly: key.scope == .read, networks: key.networks.sorted())
    }

    package func beginSession(
        _ request: BeginSessionRequest, _ context: CallContext
    ) async throws -> BeginSessionResponse {
        try Self.check(request.deploymentToken, "deployment_token")
        let visitor = Visitor(address: request.address, device: String(request.device.unicodeScalars.prefix(100)))
        let draft = SessionDraft(
            Account.local, visitor, store, roles: Roles(request.roles).intersection(.ofAccounts),
            deploymentToken: request.deploymentToken)
        try await store.write(context) { transaction throws(SQLError) in try transaction.begin(draft) }
        let account = Account(
            id: Account.local, email: "", roles: draft.session.roles,
            createdMilliseconds: draft.session.createdMilliseconds)
        return BeginSessionResponse(session: NewSession(draft, account))
    }

    private static func check(_ digest: [UInt8], _ field: String) throws(Refusal) {
        guard digest.count == 32 else { throw Refusal(field, digest.count, "bytes", allowed: "32 are") }
    }
}
