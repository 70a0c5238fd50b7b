package import AccountContracts
import Crypto
import FieldRules
import Passkeys
package import RPC
import Refusals
import Signatures
import Storage
import Wire

// How passkeys are made.

extension PasskeyHandler {
    package func beginPasskeyRegistration(
        _ request: BeginPasskeyRegistrationRequest, _ context: CallContext
    ) async throws -> BeginPasskeyRegistrationResponse {
        let (id, session) = (try context.ownersAccount, context.identity?.session ?? "")
        let (domain, now) = (try site.id, store.now)
        let (challenge, handle) = (RandomBytes.make(PasskeyChallenge.byteCount), RandomBytes.make(32))
        let stored = PasskeyChallenge(
            purpose: .registration, asker: "account/\(id)", session: session,
            expiresMilliseconds: now + PasskeyChallenge.life)
        let answer = try await store.write(context) {
            transaction throws(SQLError) -> BeginPasskeyRegistrationResponse? in
            guard let logIn = try transaction.logInTime(ofSession: session, of: id, at: now),
                FreshLogIn.isFresh(logIn, at: now), let account = try transaction.account(id)
            else { return nil }
            let known = try transaction.passkeyHandle(of: id)
            if known == nil { try transaction.insertPasskeyHandle(handle, of: id) }
            try transaction.insert(stored, digest: SHA256.digest(challenge))
            return BeginPasskeyRegistrationResponse(
                challenge: challenge, relyingPartyId: domain, userHandle: known ?? handle, userName: account.email,
                displayName: try transaction.personName(of: id) ?? "", algorithms: Self.algorithms,
                knownIds: try transaction.passkeys(of: id).map(\.credential))
        }
        guard let answer else { throw Self.needsLogIn }
        return answer
    }

    package func finishPasskeyRegistration(
        _ request: FinishPasskeyRegistrationRequest, _ context: CallContext
    ) async throws -> FinishPasskeyRegistrationResponse {
        let (account, session) = (try context.ownersAccount, context.identity?.session ?? "")
        let relyingParty = try site.relyingParty
        let (name, device) = (FieldText.line(request.name), FieldText.line(request.device))
        let (digest, now) = (SHA256.digest(request.challenge), store.now)
        let isOurs = try await store.write(context) { transaction throws(SQLError) in
            try transaction.usePasskeyChallenge(digest, for: .registration, session: session, at: now)
        }
        guard isOurs else {
            throw Refusal("challenge", "it was not sent to this session, was answered before, or is too old")
        }
        let made: NewPasskey
        do throws(PasskeyError) {
            made = try relyingParty.register(
                clientData: request.clientData, attestationObject: request.attestationObject,
                challenge: request.challenge, needsVerification: true)
        } catch {
            throw Refusal(error.isOfClientData ? "client_data" : "attestation_object", error.description)
        }
        let passkey = StoredPasskey(
            id: RandomID.make(), account: account,
            name: [name, device].first { !$0.isEmpty } ?? StoredPasskey.defaultName,
            credential: made.id, publicKey: made.publicKey, signCount: made.signCount,
            isBackupEligible: made.isBackupEligible, isBackedUp: made.isBackedUp, createdMilliseconds: now)
        if let refusal = try await store(passkey, session, context) { throw refusal }
        return FinishPasskeyRegistrationResponse(passkey: Passkey(passkey))
    }

    /// Returns why it was not stored.
    private func store(
        _ passkey: StoredPasskey, _ session: String, _ context: CallContext
    ) async throws -> RPCError? {
        let event = SecurityEvent(
            id: RandomID.make(), time: passkey.createdMilliseconds, kind: .passkeyAdded, account: passkey.account,
            device: passkey.name)
        return try await store.write(context) { transaction throws(SQLError) -> RPCError? in
            // A gateway may not know yet that the session has ended.
            let logIn = try transaction.logInTime(ofSession: session, of: passkey.account, at: event.time)
            guard logIn != nil else { return Self.needsLogIn }
            guard try transaction.passkey(credential: passkey.credential) == nil else {
                return RPCError(.alreadyExists, "attestation_object: this passkey is stored already")
            }
            guard try transaction.passkeys(of: passkey.account).count < StoredPasskey.maximum else {
                return RPCError(
                    .failedPrecondition, "an account has at most \(StoredPasskey.maximum) passkeys; remove one first")
            }
            try transaction.insert(passkey)
            try transaction.record(event)
            return nil
        }
    }

    private static var needsLogIn: RPCError {
        RPCError(.failedPrecondition, "log in again first: a passkey is made within ten minutes of a log-in")
    }

    /// Those that are liked best first.
    private static let algorithms = [SignatureAlgorithm.es256, .edDSA, .rs256].map {
        Int32(truncatingIfNeeded: $0.coseNumber)
    }
}

extension PasskeyError {
    fileprivate var isOfClientData: Bool {
        switch self {
        case .clientData, .type, .challenge, .origin, .crossOrigin: true
        default: false
        }
    }
}
