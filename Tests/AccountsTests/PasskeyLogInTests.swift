import AccountContracts
import RPC
import TestKeys
import TestSupport
import Testing
import Wire

@testable import Accounts

@Suite("P30 logging in with a passkey", .timeLimit(.minutes(2)))
struct PasskeyLogInTests {
    @Test("one who names no account gets the session of the passkey's", arguments: ["ES256", "EdDSA", "RS256"])
    func good(algorithm: String) async throws {
        try await RunningAccounts.with { service in
            var ann = try await PasskeyOwner(service, "ann@example.org")
            _ = try await PasskeyOwner(service, "bob@example.org", id: 2)
            let id = ann.device.id
            ann.device = SoftPasskey(try SigningKey.shared(algorithm))
            // One that is synchronized does not count.
            (ann.device.id, ann.device.flags) = (id, 0x1d)
            try await ann.register()
            #expect(!ann.handle.isEmpty && ann.handle != Array(ann.account.utf8) && ann.handle != Array(ann.email.utf8))
            for _ in 0..<2 {
                let session = try await ann.logIn(from: "192.0.2.7")
                #expect(session.account?.email == "ann@example.org" && session.token.hasPrefix("wms_"))
                let found = try #require(try await service.check(session.token))
                #expect(found.account == ann.account && found.roles == [.user] && !found.apiKey)
            }
            let passkey = try #require(try await ann.list().first)
            #expect(passkey.useTime != nil && passkey.synchronized)
            let sessions = try await service.accounts.listSessions(ListSessionsRequest(), ann.options).sessions
            #expect(sessions.filter { $0.device == "Firefox on Linux" && $0.address == "192.0.2.7" }.count == 2)
            #expect(try await ann.events().filter { $0 == .passkeyLoggedIn }.count == 2)
        }
    }

    @Test("the answer is the same whatever is wrong")
    func refused() async throws {
        try await RunningAccounts.with { service in
            var ann = try await PasskeyOwner(service, "ann@example.org")
            var bob = try await PasskeyOwner(service, "bob@example.org", id: 2)
            try await ann.register()
            try await bob.register()
            _ = try await service.signUp("root@example.org")
            let administrator = SetRolesRequest(email: "root@example.org", roles: [.user, .admin])
            _ = try await service.administration.setRoles(administrator, service.ofAdministrator)
            let (stranger, bobs) = (SoftPasskey(try SigningKey(.p256)), bob)
            let changes: [(String, (inout PasskeyOwner) -> Void)] = [
                ("an id that is not known", { $0.device.id = [1, 2, 3] }),
                ("another's id", { $0.device.id = bobs.device.id }),
                ("another's id and handle", { ($0.device.id, $0.handle) = (bobs.device.id, bobs.handle) }),
                ("another's handle", { $0.handle = bobs.handle }), ("no one's handle", { $0.handle = [0] }),
                ("another site's page", { $0.device.origin = "https://evil.example" }),
                ("a neighbour's page", { $0.device.origin = "https://evil.example.org" }),
                ("a page without TLS", { $0.device.origin = "http://example.org" }),
                ("another port", { $0.device.origin = "https://example.org:8443" }),
                ("another site", { $0.device.site = "evil.example" }),
                ("a frame", { $0.device.more = #","crossOrigin":true,"topOrigin":"https://evil.example""# }),
                ("a registration's answer", { $0.device.type = "webauthn.create" }),
                ("a user who was not verified", { $0.device.flags = 0x01 }),
                ("a user who was not there", { $0.device.flags = 0x04 }),
                ("one that can be copied all at once", { $0.device.flags = 0x0d }),
                (
                    "another key",
                    {
                        let id = $0.device.id
                        $0.device = stranger
                        $0.device.id = id
                    }
                ),
            ]
            var answers: Set<String> = []
            func expectRefusal(_ what: String, _ request: FinishPasskeyLogInRequest) async throws {
                let error = try await errorOf { try await ann.logIn(request) }
                #expect(error?.code == .unauthenticated, "\(what)")
                answers.insert(error?.message ?? "")
            }
            for (what, change) in changes {
                var liar = ann
                change(&liar)
                try await expectRefusal(what, try liar.assertion(try await ann.challenge()))
            }
            let (asked, used) = (try await ann.begin().challenge, try await ann.challenge())
            try await expectRefusal("a registration's challenge", try ann.assertion(asked))
            _ = try await ann.logIn(try ann.assertion(used))
            try await expectRefusal("a challenge that was answered", try ann.assertion(used))
            try await expectRefusal("a challenge that was not sent", try ann.assertion(Array(0..<32)))
            let (one, other) = (try await ann.challenge(), try await ann.challenge())
            var mixed = try ann.assertion(one)
            mixed.challenge = other
            try await expectRefusal("the answer to another challenge", mixed)
            let late = try await ann.challenge()
            service.clock.move(by: 300_000)
            try await expectRefusal("a challenge that is too old", try ann.assertion(late))
            let lock = LockAccountRequest(email: "ann@example.org", locked: true)
            _ = try await service.administration.lockAccount(lock, service.ofAdministrator)
            try await expectRefusal("a locked account", try ann.assertion(try await ann.challenge()))
            let unlock = LockAccountRequest(email: "ann@example.org", locked: false)
            _ = try await service.administration.lockAccount(unlock, service.ofAdministrator)
            _ = try await ann.logIn()
            let id = try #require(try await ann.list().first).id
            _ = try await service.passkeys.removePasskey(RemovePasskeyRequest(id: id), ann.options)
            try await expectRefusal("one that was removed", try ann.assertion(try await ann.challenge()))
            #expect(answers == ["no one can log in with this passkey here"])
            #expect(try await ann.events().contains(.logInFailed))
        }
    }

    @Test("a counter that does not grow is refused, and noted as a copy")
    func counter() async throws {
        try await RunningAccounts.with { service in
            var ann = try await PasskeyOwner(service, "ann@example.org")
            ann.device.signCount = 5
            try await ann.register()
            ann.device.signCount = 6
            _ = try await ann.logIn()
            for count in [6, 5, 0] as [UInt32] {
                ann.device.signCount = count
                #expect(try await errorOf { try await ann.logIn() }?.code == .unauthenticated)
            }
            #expect(try await ann.events().filter { $0 == .passkeyCopied }.count == 3)
            ann.device.signCount = .max
            _ = try await ann.logIn()
            // Who only knows the id can't make it look like one.
            ann.device = SoftPasskey(try SigningKey(.p256))
            ann.device.id = [UInt8](repeating: 1, count: 16)
            #expect(try await errorOf { try await ann.logIn() }?.code == .unauthenticated)
            #expect(try await ann.events().filter { $0 == .passkeyCopied }.count == 3)
        }
    }

    @Test("of many answers that come at once one begins a session: of the same, and of those with the same counter")
    func concurrent() async throws {
        try await RunningAccounts.with { service in
            var ann = try await PasskeyOwner(service, "ann@example.org")
            try await ann.register()
            ann.device.signCount = 1
            let same = try ann.assertion(try await ann.challenge())
            #expect(await Self.begun([FinishPasskeyLogInRequest](repeating: same, count: 8), service) == 1)
            ann.device.signCount = 2
            var copies: [FinishPasskeyLogInRequest] = []
            for _ in 0..<8 { copies.append(try ann.assertion(try await ann.challenge())) }
            #expect(await Self.begun(copies, service) == 1)
        }
    }

    /// How many of these begin a session.
    private static func begun(_ requests: [FinishPasskeyLogInRequest], _ service: RunningAccounts) async -> Int {
        let (client, options) = (service.passkeys, service.from())
        return await withTaskGroup(of: Bool.self) { group in
            for request in requests {
                group.addTask { (try? await client.finishPasskeyLogIn(request, options)) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test("attempts of an address are counted together with wrong passwords; right ones do not count")
    func attempts() async throws {
        try await RunningAccounts.with { service in
            var owner = try await PasskeyOwner(service, "ann@example.org")
            try await owner.register()
            let ann = owner
            for _ in 0..<60 { _ = try await ann.logIn(from: "192.0.2.5") }
            let wrong = try ann.assertion(Array(0..<32))
            for _ in 0..<50 {
                let error = try await errorOf { try await ann.logIn(wrong, from: "192.0.2.5") }
                #expect(error?.code == .unauthenticated)
            }
            let full = try await errorOf { try await ann.logIn(from: "192.0.2.5") }
            #expect(full?.code == .resourceExhausted && full?.details?.retryAfterMs ?? 0 > 0)
            let password = try await errorOf { try await service.logIn("ann@example.org", from: "192.0.2.5") }
            #expect(password?.code == .resourceExhausted)
            _ = try await ann.logIn(from: "192.0.2.6")
            service.clock.move(by: 900_000)
            _ = try await ann.logIn(from: "192.0.2.5")
        }
    }

    @Test("fields that are missing or too long are refused by their names")
    func fields() async throws {
        try await RunningAccounts.with { service in
            var ann = try await PasskeyOwner(service, "ann@example.org")
            try await ann.register()
            let good = try ann.assertion(try await ann.challenge())
            let many = [UInt8](repeating: 1, count: 65_537)
            let changes: [(String, (inout FinishPasskeyLogInRequest) -> Void)] = [
                ("challenge: it is missing", { $0.challenge = [] }),
                ("challenge: 65537 bytes", { $0.challenge = many }),
                ("credential_id: it is missing", { $0.credentialId = [] }),
                ("credential_id: 1024 bytes", { $0.credentialId = Array(many.prefix(1_024)) }),
                ("client_data: it is missing", { $0.clientData = [] }), ("client_data: ", { $0.clientData = many }),
                ("authenticator_data: it is missing", { $0.authenticatorData = [] }),
                ("authenticator_data: 65537 bytes", { $0.authenticatorData = many }),
                ("signature: it is missing", { $0.signature = [] }),
                ("signature: 65537 bytes", { $0.signature = many }),
                ("user_handle: it is missing", { $0.userHandle = [] }),
                ("user_handle: 65 bytes", { $0.userHandle = Array(many.prefix(65)) }),
                ("device: ", { $0.device = "a\nb" }),
            ]
            for (words, change) in changes {
                var request = good
                change(&request)
                let error = try await errorOf { try await ann.logIn(request) }
                #expect(error?.code == .invalidArgument && error?.message.hasPrefix(words) == true, "\(words)")
            }
            _ = try await ann.logIn(good)
        }
    }
}
