package import AccountContracts
import FieldRules
package import RPC
import Refusals
import Storage
import Wire

// How accounts are made.

extension AccountHandler {
    package func signUp(_ request: SignUpRequest, _ context: CallContext) async throws -> SignUpResponse {
        let email = try EmailAddress(request.email)
        let password = try NewPassword.checked(request.password, email: email)
        let draft = Account(
            id: RandomID.make(), email: email.text,
            firstName: FieldText.line(request.firstName),
            lastName: FieldText.line(request.lastName), roles: Roles.user.rawValue,
            createdMilliseconds: store.now)
        try store.checkPasswordsAreTaken()
        let code = try invitation(request.invitation)
        let visitor = Visitor(context, device: request.device)
        let counts = try await admit(code, visitor, context)
        let hash = try await store.database.counted(counts) { try await store.hasher.hash(password, context) }
        switch try await make(draft, email, hash, visitor, context, using: code.map { (.invitation, $0) }) {
        case .success(let session): return SignUpResponse(session: session)
        case .failure(.exists):
            // The answer to an earlier call may have been lost.
            do {
                return SignUpResponse(session: try await logIn(email, password, visitor, context))
            } catch let error as RPCError where error.code == .unauthenticated {
                throw Self.exists(email)
            }
        case .failure(let refusal): throw refusal.refusal(field: "invitation")
        }
    }

    package func createAdministrator(
        _ request: CreateAdministratorRequest, _ context: CallContext
    ) async throws -> CreateAdministratorResponse {
        let email = try EmailAddress(request.email)
        let password = try NewPassword.checked(request.password, email: email)
        let draft = Account(
            id: request.takeOverLocal ? Account.local : RandomID.make(), email: email.text,
            firstName: FieldText.line(request.firstName),
            lastName: FieldText.line(request.lastName), roles: Roles.ofAccounts.rawValue,
            createdMilliseconds: store.now)
        let code = Secret.digest(code: request.code)
        let visitor = Visitor(context, device: request.device)
        try await check(.administrator, code, visitor, context)
        let hash = try await store.hasher.hash(password, context)
        let made = try await make(draft, email, hash, visitor, context, using: (.administrator, code))
        switch made {
        case .success(let session): return CreateAdministratorResponse(session: session)
        case .failure(.exists): throw Self.exists(email)
        case .failure(let refusal): throw refusal.refusal(field: "code")
        }
    }

    /// Why an account was not made.
    private enum NotMade: Error {
        case exists, isTaken, noCode

        func refusal(field: String) -> any Error {
            switch self {
            case .isTaken:
                RPCError(.failedPrecondition, "take_over_local: the profile \"local\" belongs to an account already")
            default: Refusal(field, "it is not known, was used, or is too old")
            }
        }
    }

    private func make(
        _ account: Account, _ email: EmailAddress, _ hash: String, _ visitor: Visitor, _ context: CallContext,
        using code: (kind: CodeKind, digest: [UInt8])?
    ) async throws -> Result<NewSession, NotMade> {
        let draft = SessionDraft(account.id, visitor, store, .signedUp)
        let now = store.now
        return try await store.write(context) { transaction throws(SQLError) -> Result<NewSession, NotMade> in
            if try transaction.account(email) != nil { return .failure(.exists) }
            if try transaction.account(account.id) != nil { return .failure(.isTaken) }
            if let code, try transaction.useCode(code.kind, digest: code.digest, at: now) == nil {
                return .failure(.noCode)
            }
            // Others that were printed are no longer needed.
            if code?.kind == .administrator { try transaction.endCodes(.administrator) }
            try transaction.insert(account, email, password: hash)
            try transaction.begin(draft)
            return .success(NewSession(draft, account))
        }
    }

    /// Refuses what is sure to fail before a password is hashed, and counts what is not; gives what was counted.
    private func admit(_ code: [UInt8]?, _ visitor: Visitor, _ context: CallContext) async throws -> [AttemptCount] {
        if let code {
            try await check(.invitation, code, visitor, context)
            return []
        }
        let (now, counts) = (store.now, [AttemptCount.ofSignUps(visitor.address)])
        let wait = try await store.write(context) { transaction throws(SQLError) in
            try transaction.attempt(counts, at: now)
        }
        if let wait { throw TooManyAttempts(wait: wait) }
        return counts
    }

    /// Refuses a code that is not good. A wrong one counts as a wrong password of the address.
    func check(_ kind: CodeKind, _ digest: [UInt8], _ visitor: Visitor, _ context: CallContext) async throws {
        let (now, counts) = (store.now, [AttemptCount.ofAddress(visitor.address)])
        let isGood = try await store.write(context) { transaction throws(SQLError) -> Result<Bool, TooManyAttempts> in
            if let wait = try transaction.attempt(counts, at: now) { return .failure(TooManyAttempts(wait: wait)) }
            let isGood = try transaction.isCode(kind, digest: digest, at: now)
            if isGood { try transaction.succeeded(counts) }
            return .success(isGood)
        }
        let field = kind == .invitation ? "invitation" : "code"
        guard try isGood.get() else { throw Refusal(field, "it is not known, was used, or is too old") }
    }

    /// The digest of an invitation; nil where none is needed.
    private func invitation(_ text: String) throws -> [UInt8]? {
        switch store.signUp {
        case .open: return nil
        case .closed: throw RPCError(.failedPrecondition, "accounts are not made here; ask who runs this Waymark")
        case .invitation:
            guard !text.isEmpty else {
                throw Refusal(missing: "invitation", needed: "the code of an invitation is")
            }
            return Secret.digest(code: text)
        }
    }

    private static func exists(_ email: EmailAddress) -> RPCError {
        RPCError(
            .alreadyExists,
            "email: there is an account with \(email.text.quoted) already; log in, or reset its password")
    }
}
