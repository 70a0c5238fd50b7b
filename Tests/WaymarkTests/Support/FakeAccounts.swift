import Fakes
import Contracts
import RPC
import Synchronization
import TestSupport
import Wire

/// Accounts in memory: anyone may sign up, and a token is the e-mail address behind "token-".
final class FakeAccounts: AccountServiceFake, Sendable {
    /// Passwords by e-mail address.
    let passwords = Mutex<[String: String]>([:])
    /// The tokens that were ended.
    let ended = Mutex<[String]>([])

    private func session(_ email: String, _ first: String = "") -> NewSession {
        NewSession(
            token: "token-\(email)",
            account: Account(id: "id of \(email)", email: email, firstName: first, roles: [.user]))
    }

    func signUp(_ request: SignUpRequest, _ context: CallContext) async throws -> SignUpResponse {
        guard context.token.isEmpty else { throw RPCError(.invalidArgument, "a token was sent: \(context.token)") }
        passwords.withLock { $0[request.email] = request.password }
        return SignUpResponse(session: session(request.email, request.firstName))
    }

    func logIn(_ request: LogInRequest, _ context: CallContext) async throws -> LogInResponse {
        guard passwords.withLock({ $0[request.email] == request.password }) else {
            throw RPCError(.unauthenticated, "the e-mail address or the password is wrong")
        }
        return LogInResponse(session: session(request.email))
    }

    func logOut(_ request: LogOutRequest, _ context: CallContext) async throws -> LogOutResponse {
        ended.withLock { $0.append(request.token) }
        return LogOutResponse()
    }

    func getProfile(_ request: GetProfileRequest, _ context: CallContext) async throws -> GetProfileResponse {
        GetProfileResponse(
            account: context.token.isEmpty
                ? Account(id: "local", roles: [.user, .admin]) : session(String(context.token.dropFirst(6))).account)
    }

    func changePassword(
        _ request: ChangePasswordRequest, _ context: CallContext
    ) async throws -> ChangePasswordResponse {
        passwords.withLock { $0["changed"] = "\(request.password) to \(request.newPassword)" }
        return ChangePasswordResponse(endedCount: 2)
    }

    func listSessions(_ request: ListSessionsRequest, _ context: CallContext) async throws -> ListSessionsResponse {
        let time = TimestampMessage(unixMilliseconds: 1_700_000_000_000)
        return ListSessionsResponse(sessions: [
            Session(
                id: "s1", device: "Firefox", address: "192.0.2.1", createTime: time, useTime: time, expireTime: time,
                current: true)
        ])
    }
}

/// Notes what an administrator asks for.
final class FakeAdministration: AccountAdministrationServiceFake, Sendable {
    let asked = Mutex<[String]>([])

    func listAccounts(_ request: ListAccountsRequest, _ context: CallContext) async throws -> ListAccountsResponse {
        ListAccountsResponse(
            accounts: [
                Account(id: "1", email: "ann@example.org", firstName: "Ann", roles: [.user, .admin]),
                Account(id: "2", email: "bob@example.org", roles: [.user], locked: true),
            ], truncated: true)
    }

    func createInvitation(
        _ request: CreateInvitationRequest, _ context: CallContext
    ) async throws -> CreateInvitationResponse {
        CreateInvitationResponse(
            code: "K7QMX-00000", expireTime: TimestampMessage(unixMilliseconds: 1_700_000_000_000))
    }

    func lockAccount(_ request: LockAccountRequest, _ context: CallContext) async throws -> LockAccountResponse {
        asked.withLock { $0.append("\(request.email) \(request.locked)") }
        return LockAccountResponse(account: Account(email: request.email, locked: request.locked))
    }

    func setRoles(_ request: SetRolesRequest, _ context: CallContext) async throws -> SetRolesResponse {
        asked.withLock { $0.append("\(request.email) \(request.roles.map(\.rawValue))") }
        return SetRolesResponse(account: Account(email: request.email, roles: request.roles))
    }
}
