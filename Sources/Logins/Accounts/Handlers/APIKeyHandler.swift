package import AccountContracts
import Daemon
import FieldRules
package import RPC
import Refusals
import Storage
import Wire

/// Answers calls about the caller's keys for programs.
package struct APIKeyHandler: APIKeyServiceHandler {
    let store: AccountStore

    package init(_ store: AccountStore) { self.store = store }

    package func createAPIKey(
        _ request: CreateAPIKeyRequest, _ context: CallContext
    ) async throws -> CreateAPIKeyResponse {
        let account = try context.ownersAccount
        let name = FieldText.line(request.name)
        guard let scope = APIKey.Scope(rawValue: Int64(request.scope.rawValue)) else {
            throw Refusal("scope", "\(request.scope.rawValue)", allowed: "READ, WRITE and ADMIN are")
        }
        guard context.identity?.roles.isSuperset(of: scope.roles) == true else {
            throw RPCError(.permissionDenied, "scope: it is more than you may do yourself")
        }
        let networks = Set(request.networks)
        let life = request.life?.duration.map { $0.components.seconds * 1_000 }
        // A key lives on when the session has ended: it is made by a person who has just shown who they are.
        _ = try await store.freshSession(account, context)
        let (secret, now) = (Secret.token(.key, store.key), store.now)
        let key = APIKey(
            id: RandomID.make(), account: account, name: name, scope: scope, networks: networks,
            createdMilliseconds: now,
            expiresMilliseconds: life.map { now + $0 } ?? 0)
        let event = SecurityEvent(id: RandomID.make(), time: now, kind: .keyMade, account: account, device: name)
        let isMade = try await store.write(context) { transaction throws(SQLError) in
            guard try transaction.account(account) != nil else { return false }
            guard try transaction.apiKeys(of: account).count < Transaction.maximumKeys else { return false }
            try transaction.insert(key, digest: secret.digest)
            try transaction.record(event)
            return true
        }
        guard isMade else {
            throw RPCError(
                .failedPrecondition, "an account has at most \(Transaction.maximumKeys) keys, and this profile none")
        }
        return CreateAPIKeyResponse(token: secret.text, key: AccountContracts.APIKey(key))
    }

    package func listAPIKeys(_ request: ListAPIKeysRequest, _ context: CallContext) async throws -> ListAPIKeysResponse
    {
        let account = try context.ownersAccount
        let keys = try await store.read(context) { transaction throws(SQLError) in
            try transaction.apiKeys(of: account)
        }
        return ListAPIKeysResponse(keys: keys.map { AccountContracts.APIKey($0) })
    }

    package func revokeAPIKey(
        _ request: RevokeAPIKeyRequest, _ context: CallContext
    ) async throws -> RevokeAPIKeyResponse {
        let account = try context.ownersAccount
        let event = SecurityEvent(id: RandomID.make(), time: store.now, kind: .keyRevoked, account: account)
        let wasThere = try await store.write(context) { transaction throws(SQLError) in
            guard try transaction.endKey(request.id, of: account) else { return false }
            try transaction.record(event)
            return true
        }
        return RevokeAPIKeyResponse(revoked: wasThere)
    }
}

extension AccountContracts.APIKey {
    init(_ key: APIKey) {
        self.init(
            id: key.id, name: key.name, scope: KeyScope(rawValue: Int32(truncatingIfNeeded: key.scope.rawValue)),
            createTime: TimestampMessage(unixMilliseconds: key.createdMilliseconds),
            useTime: key.usedMilliseconds == 0 ? nil : TimestampMessage(unixMilliseconds: key.usedMilliseconds),
            expireTime: key.expiresMilliseconds == 0
                ? nil : TimestampMessage(unixMilliseconds: key.expiresMilliseconds),
            networks: key.networks.sorted())
    }
}
