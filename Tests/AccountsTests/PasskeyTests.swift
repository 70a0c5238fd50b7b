import AccountContracts
import RPC
import TestKeys
import TestSupport
import Testing
import Wire

@testable import Accounts

@Suite("P30 passkeys of an account", .timeLimit(.minutes(2)))
struct PasskeyTests {
    @Test("are made with what a browser needs, named, renamed and removed, by their owner alone")
    func life() async throws {
        try await RunningAccounts.with { service in
            var ann = try await PasskeyOwner(service, "ann@example.org")
            let bob = try await PasskeyOwner(service, "bob@example.org", id: 2)
            let asked = try await ann.begin()
            #expect(asked.challenge.count == 32 && asked.userHandle.count == 32)
            #expect(asked.relyingPartyId == "example.org" && asked.userName == "ann@example.org")
            #expect(asked.algorithms == [-7, -8, -257] && asked.knownIds.isEmpty)
            let made = try await ann.register()
            #expect(made.name == "Firefox" && made.useTime == nil && !made.synchronized)
            ann.device.id = [9]
            let named = try await ann.register(name: " the key \n")
            #expect(named.name == "the key")
            let again = try await ann.begin()
            #expect(again.userHandle == asked.userHandle, "one name for all of an account")
            #expect(Set(again.knownIds) == [[UInt8](repeating: 1, count: 16), [9]])
            #expect(try await bob.begin().userHandle != asked.userHandle)
            let rename = RenamePasskeyRequest(id: made.id, name: "phone")
            let foreign = try await errorOf { try await service.passkeys.renamePasskey(rename, bob.options) }
            #expect(foreign?.code == .notFound)
            let remove = RemovePasskeyRequest(id: made.id)
            #expect(try await !service.passkeys.removePasskey(remove, bob.options).removed)
            #expect(try await service.passkeys.renamePasskey(rename, ann.options).passkey?.name == "phone")
            #expect(try await bob.list().isEmpty)
            #expect(try await Set(ann.list().map(\.name)) == ["phone", "the key"])
            #expect(try await service.passkeys.removePasskey(remove, ann.options).removed)
            #expect(try await !service.passkeys.removePasskey(remove, ann.options).removed)
            #expect(try await ann.list().map(\.id) == [named.id])
            let events = try await service.accounts.listSecurityEvents(ListSecurityEventsRequest(), ann.options).events
            #expect(events.filter { $0.kind == .passkeyAdded }.count == 2)
            #expect(events.contains { $0.kind == .passkeyRemoved && $0.device == "phone" })
        }
    }

    @Test("are made only soon after a log-in to the account itself")
    func fresh() async throws {
        try await RunningAccounts.with { service in
            var ann = try await PasskeyOwner(service, "ann@example.org")
            service.clock.move(by: 600_000)
            let asked = try await ann.begin()
            service.clock.move(by: 1)
            let stale = try await errorOf { try await ann.begin() }
            #expect(stale?.code == .failedPrecondition && stale?.message.hasPrefix("log in again first") == true)
            // One that was begun in time can be finished, and what there is can be removed at any time.
            let made = try await ann.finish(ann.attestation(asked.challenge))
            #expect(try await service.passkeys.removePasskey(RemovePasskeyRequest(id: made.id), ann.options).removed)
            ann.session = try await ann.another()
            let late = try await ann.begin()
            let others = RevokeSessionsRequest(id: "")
            _ = try await service.accounts.revokeSessions(others, service.of(ann.account))
            let ended = try await errorOf { try await ann.finish(ann.attestation(late.challenge)) }
            #expect(ended?.code == .failedPrecondition, "the session has ended meanwhile")
            #expect(try await errorOf { try await ann.begin() }?.code == .failedPrecondition)
        }
    }

    @Test("are not made with a token of the deployment, nor by a program, nor by who has shown nothing")
    func others() async throws {
        try await RunningAccounts.with { service in
            let code = try #require(try await service.store.administratorCode())
            let request = CreateAdministratorRequest(
                code: code, email: "root@example.org", password: RunningAccounts.password, takeOverLocal: true)
            _ = try await service.accounts.createAdministrator(request, service.from())
            // A bearer who may do less acts for the same account, and would get all of it.
            let bearer = BeginSessionRequest(
                deploymentToken: [UInt8](repeating: 7, count: 32), roles: [.user], address: "192.0.2.1")
            let token = try #require(try await service.sessions.beginSession(bearer, service.ofGateway).session).token
            let session = try #require(try await service.check(token)).session
            let begin = BeginPasskeyRegistrationRequest()
            for (options, code) in [
                (service.of("local", session: session), RPCCode.failedPrecondition),
                (service.of("local", session: "made-up"), .failedPrecondition),
                (service.withKey(of: "local"), .permissionDenied), (service.open, .unauthenticated),
            ] {
                let error = try await errorOf { try await service.passkeys.beginPasskeyRegistration(begin, options) }
                #expect(error?.code == code)
            }
            let finish = FinishPasskeyRegistrationRequest(
                challenge: [UInt8](repeating: 1, count: 32), clientData: [1], attestationObject: [1])
            for options in [service.withKey(of: "local"), service.open] {
                let calls: [@Sendable () async throws -> Void] = [
                    { _ = try await service.passkeys.listPasskeys(ListPasskeysRequest(), options) },
                    { _ = try await service.passkeys.renamePasskey(RenamePasskeyRequest(id: "a", name: "b"), options) },
                    { _ = try await service.passkeys.removePasskey(RemovePasskeyRequest(id: "a"), options) },
                    { _ = try await service.passkeys.finishPasskeyRegistration(finish, options) },
                ]
                for call in calls {
                    let code = try await errorOf(call)?.code
                    #expect(code == .permissionDenied || code == .unauthenticated)
                }
            }
            let clear = ClearPasskeysRequest(email: "root@example.org")
            let open = try await errorOf { try await service.passkeys.clearPasskeys(clear, service.open) }
            #expect(open?.code == .unauthenticated)
        }
    }

    @Test("an account has at most twenty, and no id is stored twice, whoever has it")
    func limits() async throws {
        try await RunningAccounts.with { service in
            var ann = try await PasskeyOwner(service, "ann@example.org")
            var bob = try await PasskeyOwner(service, "bob@example.org", id: 2)
            try await ann.register()
            bob.device.id = ann.device.id
            for owner in [bob, ann] {
                let asked = try await owner.begin()
                let error = try await errorOf { try await owner.finish(owner.attestation(asked.challenge)) }
                #expect(error?.code == .alreadyExists)
            }
            #expect(try await bob.list().isEmpty)
            for number in 2...20 {
                ann.device.id = [UInt8(number)]
                try await ann.register()
            }
            ann.device.id = [21]
            let asked = try await ann.begin()
            let error = try await errorOf { try await ann.finish(ann.attestation(asked.challenge)) }
            #expect(error?.code == .failedPrecondition && error?.message.contains("at most 20 passkeys") == true)
            #expect(try await ann.list().count == 20)
        }
    }

    @Test("a reset by a code removes all, and the keys of programs: someone else may have made them")
    func reset() async throws {
        try await RunningAccounts.with { service in
            var ann = try await PasskeyOwner(service, "ann@example.org")
            try await ann.register()
            let request = CreateAPIKeyRequest(name: "a program", scope: .read)
            let key = try await service.keys.createAPIKey(
                request, service.of(ann.account, session: try await service.session(of: ann.account))
            ).token
            #expect(try await service.check(key) != nil)
            let email = CreateResetCodeRequest(email: "ann@example.org")
            let code = try await service.administration.createResetCode(email, service.ofAdministrator).code
            let reset = ResetPasswordRequest(code: code, password: "another long one")
            _ = try await service.accounts.resetPassword(reset, service.from())
            #expect(try await errorOf { try await ann.logIn() }?.code == .unauthenticated)
            #expect(try await service.check(key) == nil)
        }
    }

    @Test("administrators remove all of an account with its sessions")
    func cleared() async throws {
        try await RunningAccounts.with { service in
            var ann = try await PasskeyOwner(service, "ann@example.org")
            try await ann.register()
            let session = try await ann.logIn()
            #expect(try await service.check(session.token) != nil)
            let clear = ClearPasskeysRequest(email: "ANN@example.org")
            #expect(try await service.passkeys.clearPasskeys(clear, service.ofAdministrator).removedCount == 1)
            #expect(try await service.check(session.token) == nil)
            #expect(try await errorOf { try await ann.logIn() }?.code == .unauthenticated)
            #expect(try await ann.events().contains(.passkeysCleared))
            #expect(try await service.passkeys.clearPasskeys(clear, service.ofAdministrator).removedCount == 0)
            for (email, code) in [("x@example.org", RPCCode.notFound), ("", .invalidArgument)] {
                let error = try await errorOf {
                    try await service.passkeys.clearPasskeys(
                        ClearPasskeysRequest(email: email), service.ofAdministrator)
                }
                #expect(error?.code == code)
            }
        }
    }

    @Test("there are none where the address of the map is not known, and they say why; those stored can be removed")
    func off() async throws {
        try await RunningAccounts.with(publicURL: "http://192.0.2.7") { service in
            var owner = try await PasskeyOwner(service, "ann@example.org")
            owner.handle = [1]
            let ann = owner
            let options = try await service.passkeys.getPasskeyOptions(GetPasskeyOptionsRequest(), service.from())
            #expect(options.origin.isEmpty && options.problem.contains("--public-url is http://192.0.2.7"))
            let challenge = [UInt8](repeating: 1, count: 32)
            let calls: [@Sendable () async throws -> Void] = [
                { _ = try await ann.begin() }, { _ = try await ann.finish(ann.attestation(challenge)) },
                { _ = try await ann.challenge() }, { _ = try await ann.logIn(try ann.assertion(challenge)) },
            ]
            for call in calls {
                let error = try await errorOf(call)
                #expect(error?.code == .failedPrecondition)
                #expect(error?.message.hasPrefix("there are no passkeys here: --public-url") == true)
            }
            #expect(try await ann.list().isEmpty)
            let id = RemovePasskeyRequest(id: "none")
            #expect(try await !service.passkeys.removePasskey(id, ann.options).removed)
        }
    }
}
