package import AccountContracts
import Crypto
package import RPC
import Refusals
import Storage
import Wire

// How passwords change.

extension AccountHandler {
    package func changePassword(
        _ request: ChangePasswordRequest, _ context: CallContext
    ) async throws -> ChangePasswordResponse {
        let (id, current) = (try context.ownersAccount, context.identity?.session)
        let given = Password(request.password)
        let new = try NewPassword.checked(request.newPassword, field: "new_password")
        let (now, counts) = (store.now, [AttemptCount.ofAccount(SHA256.text(id), at: "itself")])
        let found = try await store.write(context) {
            transaction throws(SQLError) -> Result<String?, TooManyAttempts> in
            guard let hash = try transaction.passwordHash(of: id) else { return .success(nil) }
            if let wait = try transaction.attempt(counts, at: now) { return .failure(TooManyAttempts(wait: wait)) }
            return .success(hash)
        }
        guard let old = try found.get() else { throw try Self.noAccount() }
        let hash = try await self.store.database.counted(counts) {
            let match = try await self.store.hasher.compare(given, with: old, context)
            return match == .wrong ? nil : try await self.store.hasher.hash(new, context)
        }
        guard let hash else { throw Refusal("password", "it is wrong; the account's present password is needed") }
        let event = SecurityEvent(id: RandomID.make(), time: now, kind: .passwordChanged, account: id)
        let keysEnded = SecurityEvent(id: RandomID.make(), time: now, kind: .keyRevoked, account: id)
        let (store, address) = (store, context.identity?.client ?? "")
        let ended = try await store.write(context) { transaction throws(SQLError) -> (sessions: Int, keys: Int)? in
            guard try transaction.passwordHash(of: id) == old else { return nil }
            try transaction.succeeded(counts)
            try transaction.setPassword(hash, of: id)
            try transaction.endResets(of: id)
            try transaction.record(event)
            try transaction.notify(.passwordChanged, id, address, store)
            let keys = request.keepApiKeys ? 0 : try transaction.endKeys(of: id)
            if keys > 0 { try transaction.record(keysEnded) }
            return (try transaction.endSessions(of: id, but: current), keys)
        }
        guard let ended else { throw RPCError(.aborted, "the password was changed meanwhile; try again") }
        return ChangePasswordResponse(
            endedCount: UInt32(clamping: ended.sessions), endedKeyCount: UInt32(clamping: ended.keys))
    }

    package func resetPassword(
        _ request: ResetPasswordRequest, _ context: CallContext
    ) async throws -> ResetPasswordResponse {
        let code = Secret.digest(code: request.code)
        let password = try NewPassword.checked(request.password)
        let visitor = Visitor(context, device: request.device)
        try store.checkPasswordsAreTaken()
        try await check(.reset, code, visitor, context)
        let hash = try await store.hasher.hash(password, context)
        let (store, now) = (store, store.now)
        let session = try await store.write(context) { transaction throws(SQLError) -> NewSession? in
            guard let id = try transaction.useCode(.reset, digest: code, at: now),
                let account = try transaction.account(id), !account.isLocked
            else { return nil }
            try transaction.setPassword(hash, of: id)
            try transaction.endResets(of: id)
            try transaction.endAllAccess(to: id)
            let draft = SessionDraft(id, visitor, store, .passwordReset)
            try transaction.begin(draft)
            try transaction.notify(.passwordReset, id, visitor.address, store)
            return NewSession(draft, account)
        }
        guard let session else { throw Refusal("code", "it is not known, was used, or is too old") }
        return ResetPasswordResponse(session: session)
    }

    private static func noAccount() throws(RPCError) -> RPCError {
        _ = try existing(nil)
        return RPCError(.internalError, "there is no account")
    }
}
