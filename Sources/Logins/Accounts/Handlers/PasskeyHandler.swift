package import AccountContracts
import FieldRules
package import RPC
import Refusals
import Storage
import Wire

/// Answers calls about passkeys: how one is made, and how one logs in with it, are in files of their own.
package struct PasskeyHandler: PasskeyServiceHandler {
    let store: AccountStore
    let site: PasskeySite

    package init(_ store: AccountStore, _ site: PasskeySite) {
        self.store = store
        self.site = site
    }

    package func getPasskeyOptions(
        _ request: GetPasskeyOptionsRequest, _ context: CallContext
    ) async throws -> GetPasskeyOptionsResponse {
        switch site {
        case .on(_, let origin): GetPasskeyOptionsResponse(origin: origin)
        case .off(let problem): GetPasskeyOptionsResponse(problem: problem)
        }
    }

    package func listPasskeys(
        _ request: ListPasskeysRequest, _ context: CallContext
    ) async throws -> ListPasskeysResponse {
        let account = try context.ownersAccount
        let passkeys = try await store.read(context) { transaction throws(SQLError) in
            try transaction.passkeys(of: account)
        }
        return ListPasskeysResponse(passkeys: passkeys.map { Passkey($0) })
    }

    package func renamePasskey(
        _ request: RenamePasskeyRequest, _ context: CallContext
    ) async throws -> RenamePasskeyResponse {
        let account = try context.ownersAccount
        let (id, name) = (request.id, FieldText.line(request.name))
        let passkey = try await store.write(context) { transaction throws(SQLError) in
            try transaction.renamePasskey(id, of: account, to: name)
        }
        guard let passkey else { throw RPCError(.notFound, "id: you have no passkey \(id.quoted)") }
        return RenamePasskeyResponse(passkey: Passkey(passkey))
    }

    package func removePasskey(
        _ request: RemovePasskeyRequest, _ context: CallContext
    ) async throws -> RemovePasskeyResponse {
        let account = try context.ownersAccount
        let (id, now, event) = (request.id, store.now, RandomID.make())
        let wasThere = try await store.write(context) { transaction throws(SQLError) in
            guard let name = try transaction.removePasskey(id, of: account) else { return false }
            try transaction.record(
                SecurityEvent(id: event, time: now, kind: .passkeyRemoved, account: account, device: name))
            return true
        }
        return RemovePasskeyResponse(removed: wasThere)
    }

    package func clearPasskeys(
        _ request: ClearPasskeysRequest, _ context: CallContext
    ) async throws -> ClearPasskeysResponse {
        _ = try context.ownAccount
        let (email, now, event) = (try EmailAddress(request.email), store.now, RandomID.make())
        let count = try await store.write(context) { transaction throws(SQLError) -> Int? in
            guard let (account, _) = try transaction.account(email) else { return nil }
            // Who made one may be logged in with it.
            _ = try transaction.endSessions(of: account.id, but: nil)
            try transaction.record(SecurityEvent(id: event, time: now, kind: .passkeysCleared, account: account.id))
            return try transaction.removePasskeys(of: account.id)
        }
        guard let count else { throw NotChanged.unknown(request.email).rpcError }
        return ClearPasskeysResponse(removedCount: UInt32(clamping: count))
    }
}

extension Passkey {
    init(_ passkey: StoredPasskey) {
        self.init(
            id: passkey.id, name: passkey.name,
            createTime: TimestampMessage(unixMilliseconds: passkey.createdMilliseconds),
            useTime: passkey.usedMilliseconds == 0 ? nil : TimestampMessage(unixMilliseconds: passkey.usedMilliseconds),
            synchronized: passkey.isBackedUp)
    }
}
