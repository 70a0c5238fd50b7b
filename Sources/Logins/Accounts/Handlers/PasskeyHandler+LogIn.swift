package import AccountContracts
import Crypto
import Passkeys
package import RPC
import Storage
import Wire

// How sessions begin with a passkey.

extension PasskeyHandler {
    package func beginPasskeyLogIn(
        _ request: BeginPasskeyLogInRequest, _ context: CallContext
    ) async throws -> BeginPasskeyLogInResponse {
        let (domain, visitor) = (try site.id, Visitor(context, device: ""))
        let challenge = RandomBytes.make(PasskeyChallenge.byteCount)
        let stored = PasskeyChallenge(
            purpose: .logIn, asker: "address/\(visitor.address)",
            expiresMilliseconds: store.now + PasskeyChallenge.life)
        try await store.write(context) { transaction throws(SQLError) in
            try transaction.insert(stored, digest: SHA256.digest(challenge))
        }
        return BeginPasskeyLogInResponse(challenge: challenge, relyingPartyId: domain)
    }

    package func finishPasskeyLogIn(
        _ request: FinishPasskeyLogInRequest, _ context: CallContext
    ) async throws -> FinishPasskeyLogInResponse {
        let relyingParty = try site.relyingParty
        let visitor = Visitor(context, device: request.device)
        let attempt = try await attempt(request, visitor, context)
        guard attempt.isAnswer, let passkey = attempt.passkey else {
            throw try await failed(.logInFailed, attempt.passkey, visitor, context)
        }
        let login: PasskeyLogin
        do throws(PasskeyError) {
            login = try relyingParty.logIn(
                clientData: request.clientData, authenticatorData: request.authenticatorData,
                signature: request.signature, challenge: request.challenge,
                passkey: KnownPasskey(
                    publicKey: passkey.publicKey, signCount: passkey.signCount,
                    isBackupEligible: passkey.isBackupEligible),
                needsVerification: true)
        } catch {
            throw try await failed(error.isOfCopy ? .passkeyCopied : .logInFailed, passkey, visitor, context)
        }
        let (store, counts) = (store, attempt.counts)
        let session = try await store.write(context) { transaction throws(SQLError) -> NewSession? in
            // Its account may be locked. It may have been removed, or used again, while this was checked.
            guard let account = try transaction.account(passkey.account), !account.isLocked,
                try transaction.use(
                    passkey, count: login.signCount, isBackedUp: login.isBackedUp, at: store.now)
            else { return nil }
            try transaction.succeeded(counts)
            let draft = SessionDraft(account.id, visitor, store, .passkeyLoggedIn)
            try transaction.begin(draft)
            return NewSession(draft, account)
        }
        guard let session else { throw try await failed(.logInFailed, passkey, visitor, context) }
        return FinishPasskeyLogInResponse(session: session)
    }

    /// An attempt that was counted, and whose challenge is used up.
    private struct PasskeyAttempt: Sendable {
        let counts: [AttemptCount]
        let isAnswer: Bool
        /// The one that is meant, with the handle of its account.
        let passkey: StoredPasskey?
    }

    /// Counts an attempt, and refuses it after too many.
    private func attempt(
        _ request: FinishPasskeyLogInRequest, _ visitor: Visitor, _ context: CallContext
    ) async throws -> PasskeyAttempt {
        let (now, digest) = (store.now, SHA256.digest(request.challenge))
        let counts = [AttemptCount.ofAddress(visitor.address)]
        let result = try await store.write(context) {
            transaction throws(SQLError) -> Result<PasskeyAttempt, TooManyAttempts> in
            if let wait = try transaction.attempt(counts, at: now) { return .failure(TooManyAttempts(wait: wait)) }
            let isAnswer = try transaction.usePasskeyChallenge(digest, for: .logIn, at: now)
            var passkey = try transaction.passkey(credential: request.credentialId)
            if let account = passkey?.account, try transaction.passkeyHandle(of: account) != request.userHandle {
                passkey = nil
            }
            return .success(PasskeyAttempt(counts: counts, isAnswer: isAnswer, passkey: passkey))
        }
        return try result.get()
    }

    /// The same whatever is wrong.
    private func failed(
        _ kind: SecurityEvent.Kind, _ passkey: StoredPasskey?, _ visitor: Visitor, _ context: CallContext
    ) async throws -> RPCError {
        let event = SecurityEvent(
            id: RandomID.make(), time: store.now, kind: kind, account: passkey?.account ?? "",
            address: visitor.address, device: visitor.device)
        try await store.write(context) { transaction throws(SQLError) in try transaction.record(event) }
        return RPCError(.unauthenticated, "no one can log in with this passkey here")
    }
}

extension PasskeyError {
    fileprivate var isOfCopy: Bool {
        if case .counter = self { true } else { false }
    }
}
