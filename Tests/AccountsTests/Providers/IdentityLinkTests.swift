import AccountContracts
import RPC
import Storage
import TestSupport
import Testing
import Wire

@testable import Accounts

@Suite("P31 linking identities", .timeLimit(.minutes(2)))
struct IdentityLinkTests {
    @Test("after a fresh login an identity is linked, logs in, and is unlinked")
    func link() async throws {
        try await ProviderVisit.with { visit in
            let session = try await visit.service.signUp("bob@example.org")
            let linked = try await visit.link(session)
            #expect(linked.provider == "home" && linked.label == "Home" && linked.name == "Ann Tester")
            // Again, it is the same one.
            #expect(try await visit.link(session).id == linked.id)
            #expect(try await visit.logIn().account?.id == session.account?.id)
            let options = try await visit.options(session)
            let list = try await visit.service.providers.listIdentities(ListIdentitiesRequest(), options)
            #expect(list.identities.map(\.id) == [linked.id])
            let events = try await visit.service.accounts.listSecurityEvents(ListSecurityEventsRequest(), options)
            #expect(events.events.contains { $0.kind == .identityLinked })
            for isThere in [true, false] {
                let answer = try await visit.service.providers.unlink(UnlinkRequest(id: linked.id), options)
                #expect(answer.unlinked == isThere)
            }
            // Whoever comes with it now is someone else: the address has no account.
            #expect(try await visit.logIn().account?.id != session.account?.id)
        }
    }

    @Test("needs a login of the last ten minutes, by a person")
    func fresh() async throws {
        try await ProviderVisit.with { visit in
            let session = try await visit.service.signUp("bob@example.org")
            let linked = try await visit.link(session)
            let service = visit.service
            let account = try #require(session.account?.id)
            service.clock.move(by: 600_001)
            let late = try await visit.options(session)
            let begin = BeginLinkRequest(provider: "home", browser: ProviderVisit.secret)
            for error in [
                try await errorOf { try await service.providers.beginLink(begin, late) },
                try await errorOf { try await service.providers.unlink(UnlinkRequest(id: linked.id), late) },
            ] { #expect(error?.code == .failedPrecondition && error?.message.hasPrefix("log in again") == true) }
            // Neither a key nor a token is a person, nor is open mode.
            for caller in [service.withKey(of: account), service.open, service.of(account, session: "another")] {
                let error = try await errorOf {
                    try await service.providers.unlink(UnlinkRequest(id: linked.id), caller)
                }
                #expect(
                    [RPCCode.permissionDenied, .unauthenticated, .failedPrecondition].contains { $0 == error?.code })
            }
        }
    }

    @Test("a session of the deployment's token links nothing to the account that has its profile")
    func deployment() async throws {
        try await ProviderVisit.with { visit in
            let service = visit.service
            let code = try #require(try await service.store.administratorCode())
            let root = CreateAdministratorRequest(
                code: code, email: "root@example.org", password: RunningAccounts.password, takeOverLocal: true)
            _ = try await service.accounts.createAdministrator(root, service.from())
            let begin = BeginSessionRequest(deploymentToken: Array(repeating: 7, count: 32), roles: [.user])
            let session = try #require(try await service.sessions.beginSession(begin, service.ofGateway).session)
            let options = try await visit.options(session)
            let error = try await errorOf {
                try await service.providers.beginLink(
                    BeginLinkRequest(provider: "home", browser: ProviderVisit.secret), options)
            }
            #expect(error?.code == .failedPrecondition)
        }
    }

    @Test("ends when the session has ended meanwhile, and in no other browser")
    func ended() async throws {
        try await ProviderVisit.with { visit in
            let session = try await visit.service.signUp("bob@example.org")
            let request = BeginLinkRequest(provider: "home", browser: ProviderVisit.secret)
            let options = try await visit.options(session)
            let address = try await visit.service.providers.beginLink(request, options).address
            let elsewhere = try await visit.agree(at: address, browser: String(repeating: "c", count: 43))
            #expect(try await errorOf { try await visit.finish(elsewhere) }?.code == .invalidArgument)
            let back = try await visit.agree(at: address)
            _ = try await visit.service.accounts.logOut(LogOutRequest(token: session.token), visit.service.from())
            #expect(try await errorOf { try await visit.finish(back) }?.code == .unauthenticated)
            #expect(try await visit.logIn().account?.id != session.account?.id)
        }
    }

    @Test("takes no identity from another account")
    func others() async throws {
        try await ProviderVisit.with { visit in
            let (ann, bob) = (try await visit.logIn(), try await visit.service.signUp("bob@example.org"))
            #expect(try await errorOf { try await visit.link(bob) }?.code == .alreadyExists)
            #expect(try await visit.logIn().account?.id == ann.account?.id)
            // Nor does one end another's.
            let list = try await visit.service.providers.listIdentities(
                ListIdentitiesRequest(), try await visit.options(ann))
            let id = try #require(list.identities.first?.id)
            let answer = try await visit.service.providers.unlink(
                UnlinkRequest(id: id), try await visit.options(bob))
            #expect(!answer.unlinked)
        }
    }

    @Test("the last way to log in stays")
    func last() async throws {
        for takesPasswords in [true, false] {
            try await ProviderVisit.with(takesPasswords: takesPasswords) { visit in
                let session = try await visit.logIn()
                let options = try await visit.options(session)
                let list = try await visit.service.providers.listIdentities(ListIdentitiesRequest(), options)
                let id = try #require(list.identities.first?.id)
                let error = try await errorOf {
                    try await visit.service.providers.unlink(UnlinkRequest(id: id), options)
                }
                #expect(error?.code == .failedPrecondition && error?.message.contains("last way") == true)
                // A password is another way where passwords are taken.
                let hash = try #require(try await visit.service.anyHash())
                let account = try #require(session.account?.id)
                try await visit.service.store.database.write { transaction throws(SQLError) in
                    try transaction.setPassword(hash, of: account)
                }
                let second = try await errorOf {
                    try await visit.service.providers.unlink(UnlinkRequest(id: id), options)
                }
                #expect(second?.code == (takesPasswords ? nil : .failedPrecondition))
            }
        }
    }
}

extension RunningAccounts {
    /// The hash of some password.
    fileprivate func anyHash() async throws -> String? {
        let context = CallContext(method: AccountServiceMethods.logIn)
        return try await store.hasher.hash(Password(Self.password), context)
    }
}
