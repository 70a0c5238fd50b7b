import AccountContracts
import RPC
import Storage
import TestSupport
import Testing
import Wire

@testable import Accounts

@Suite("P52 the deletion of an account", .timeLimit(.minutes(3)))
struct AccountDeletionTests {
    private func delete(_ service: RunningAccounts, _ email: String, _ options: CallOptions) async throws -> RPCError? {
        try await errorOf {
            _ = try await service.accounts.deleteAccount(DeleteAccountRequest(email: email), options)
        }
    }

    @Test("needs a log-in that is not ten minutes old, and the account's own address")
    func proof() async throws {
        try await RunningAccounts.with { service in
            let session = try await service.signUp("ann@example.org")
            _ = try await service.signUp("bob@example.org")
            let account = try #require(session.account?.id)
            let id = try #require(try await service.check(session.token)).session
            for email in ["", "x", "bob@example.org"] {
                let error = try await delete(service, email, service.of(account, session: id))
                #expect(error?.code == .invalidArgument, "\(email)")
            }
            let program = try await delete(service, "ann@example.org", service.withKey(of: account))
            #expect(program?.code == .permissionDenied)
            #expect(try await delete(service, "ann@example.org", service.open)?.code == .unauthenticated)
            service.clock.move(by: 600_001)
            let old = try await delete(service, "ann@example.org", service.of(account, session: id))
            #expect(old?.code == .failedPrecondition && old?.message.contains("log in again") == true)
            #expect(try await service.check(session.token) != nil)

            let fresh = try await service.logIn("ann@example.org")
            let freshID = try #require(try await service.check(fresh.token)).session
            #expect(try await delete(service, "ANN@example.org", service.of(account, session: freshID)) == nil)
            for token in [fresh.token, session.token] { #expect(try await service.check(token) == nil) }
            let gone = try await errorOf { try await service.logIn("ann@example.org") }
            #expect(gone?.code == .unauthenticated)
            // The address is free again, for another account.
            #expect(try await service.signUp("ann@example.org").account?.id != account)
        }
    }

    @Test("is refused to the last administrator while there are other accounts")
    func administrators() async throws {
        try await RunningAccounts.with { service in
            let root = try await service.signUp("root@example.org")
            let id = try #require(root.account?.id)
            let bob = try await service.signUp("bob@example.org")
            let admins = service.of(id, roles: .ofAccounts)
            try await service.store.database.write { transaction throws(SQLError) in
                try transaction.execute("UPDATE accounts SET roles = 24 WHERE id = ?1", id)
            }
            let session = try #require(try await service.check(root.token)).session
            let mine = service.of(id, roles: .ofAccounts, session: session)
            let refused = try await delete(service, "root@example.org", mine)
            #expect(refused?.code == .failedPrecondition && refused?.message.contains("last administrator") == true)
            #expect(try await service.check(root.token) != nil)
            _ = try await service.administration.setRoles(
                SetRolesRequest(email: "bob@example.org", roles: [.user, .admin]), admins)
            #expect(try await delete(service, "root@example.org", mine) == nil)
            #expect(try await service.check(bob.token) != nil)
        }
    }
}
