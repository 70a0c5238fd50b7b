package import Contracts
package import RPC
import Refusals
import Requests
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
        let id = try Self.checkedID(request.id)
        let most = RenamePasskeyRequest.nameLength.upperBound
        guard let name = try TextLine.checked(request.name, "name", most: most) else {
            throw Refusal(missing: "name", needed: "what the passkey is called is")
        }
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
        let id = try Self.checkedID(request.id)
        let (now, event) = (store.now, Secret.name())
        let wasThere = try await store.write(context) { transaction throws(SQLError) in
            guard let name = try transaction.removePasskey(id, of: account) else { return false }
            try transaction.note(
                SecurityEvent(id: event, time: now, kind: .passkeyRemoved, account: account, device: name))
            return true
        }
        return RemovePasskeyResponse(removed: wasThere)
    }

    package func clearPasskeys(
        _ request: ClearPasskeysRequest, _ context: CallContext
    ) async throws -> ClearPasskeysResponse {
        _ = try context.ownAccount
        let (email, now, event) = (try EmailAddress(request.email), store.now, Secret.name())
        let count = try await store.write(context) { transaction throws(SQLError) -> Int? in
            guard let (account, _) = try transaction.account(email) else { return nil }
            // Who made one may be logged in with it.
            _ = try transaction.endSessions(of: account.id, but: nil)
            try transaction.note(SecurityEvent(id: event, time: now, kind: .passkeysCleared, account: account.id))
            return try transaction.removePasskeys(of: account.id)
        }
        guard let count else { throw NotChanged.unknown(request.email).rpcError }
        return ClearPasskeysResponse(removedCount: UInt32(clamping: count))
    }

    private static func checkedID(_ id: String) throws(Refusal) -> String {
        let (count, most) = (id.unicodeScalars.count, RemovePasskeyRequest.idLength.upperBound)
        guard count > 0 else { throw Refusal(missing: "id", needed: "the id of a passkey is") }
        guard count <= most else { throw Refusal("id", count, "characters", allowed: "at most \(most) are") }
        return id
    }

    /// Bytes of a field that must be there.
    static func checked(_ bytes: [UInt8], _ field: String, _ range: ClosedRange<Int>) throws(Refusal) {
        guard !bytes.isEmpty else { throw Refusal(missing: field, needed: "what the browser has returned is") }
        guard range.contains(bytes.count) else {
            let allowed = range.count == 1 ? "\(range.lowerBound) are" : "at most \(range.upperBound) are"
            throw Refusal(field, bytes.count, "bytes", allowed: allowed)
        }
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
