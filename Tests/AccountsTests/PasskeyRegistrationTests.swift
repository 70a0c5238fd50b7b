import AccountContracts
import RPC
import Storage
import TestKeys
import TestSupport
import Testing

@testable import Accounts

@Suite("P30 what a new passkey says", .timeLimit(.minutes(2)))
struct PasskeyRegistrationTests {
    @Test("a challenge is answered once, in its session, for its purpose, and within five minutes")
    func challenges() async throws {
        try await RunningAccounts.with { service in
            let ann = try await PasskeyOwner(service, "ann@example.org")
            let bob = try await PasskeyOwner(service, "bob@example.org", id: 2)
            func refusal(_ challenge: [UInt8], _ options: CallOptions? = nil) async throws -> RPCError? {
                try await errorOf { try await ann.finish(ann.attestation(challenge), options) }
            }
            let asked = try await ann.begin().challenge
            // Neither another account nor another session of the same one can use it, or use it up.
            for options in [bob.options, service.of(ann.account, session: try await ann.another())] {
                let error = try await refusal(asked, options)
                #expect(error?.code == .invalidArgument && error?.message.hasPrefix("challenge: ") == true)
            }
            _ = try await ann.finish(ann.attestation(asked))
            #expect(try await refusal(asked)?.code == .invalidArgument, "it was answered")
            #expect(try await refusal(try await ann.challenge())?.code == .invalidArgument, "it is for a log-in")
            #expect(try await refusal([UInt8](repeating: 7, count: 32))?.code == .invalidArgument, "none was sent")
            let late = try await ann.begin().challenge
            service.clock.move(by: 300_000)
            #expect(try await refusal(late)?.code == .invalidArgument, "it is too old")
            #expect(try await ann.list().count == 1)
        }
    }

    @Test("an answer that is wrong is refused with what is wrong, and its challenge is used up")
    func wrong() async throws {
        try await RunningAccounts.with { service in
            let ann = try await PasskeyOwner(service, "ann@example.org")
            let changes: [(String, (inout SoftPasskey) -> Void)] = [
                (
                    "client_data: clientDataJSON.origin: \"https://evil.example\"",
                    { $0.origin = "https://evil.example" }
                ),
                ("client_data: clientDataJSON.origin: \"http://example.org\"", { $0.origin = "http://example.org" }),
                ("client_data: clientDataJSON.type: \"webauthn.get\"", { $0.type = "webauthn.get" }),
                ("client_data: clientDataJSON.crossOrigin", { $0.more = #","crossOrigin":true"# }),
                ("attestation_object: authenticatorData.rpIdHash", { $0.site = "evil.example" }),
                ("attestation_object: authenticatorData.flags: the user was not verified", { $0.flags = 0x01 }),
                ("attestation_object: authenticatorData.flags: no user was present", { $0.flags = 0x04 }),
                ("attestation_object: authenticatorData.credentialId: 0 bytes", { $0.id = [] }),
            ]
            for (words, change) in changes {
                var liar = ann
                change(&liar.device)
                let asked = try await ann.begin().challenge
                let error = try await errorOf { try await ann.finish(liar.attestation(asked)) }
                #expect(error?.code == .invalidArgument && error?.message.hasPrefix(words) == true, "\(words)")
                #expect(try await errorOf { try await ann.finish(ann.attestation(asked)) }?.code == .invalidArgument)
            }
            #expect(try await ann.list().isEmpty)
        }
    }

    @Test("fields that are missing or too long are refused by their names")
    func fields() async throws {
        try await RunningAccounts.with { service in
            let ann = try await PasskeyOwner(service, "ann@example.org")
            let long = String(repeating: "x", count: 101)
            let good = ann.attestation(try await ann.begin().challenge)
            let changes: [(String, (inout FinishPasskeyRegistrationRequest) -> Void)] = [
                ("challenge: it is missing", { $0.challenge = [] }),
                ("challenge: 31 bytes are not allowed; 32 are", { $0.challenge.removeLast() }),
                ("client_data: it is missing", { $0.clientData = [] }),
                ("client_data: 16385 bytes", { $0.clientData = [UInt8](repeating: 32, count: 16_385) }),
                ("attestation_object: it is missing", { $0.attestationObject = [] }),
                ("attestation_object: 65537 bytes", { $0.attestationObject = [UInt8](repeating: 0, count: 65_537) }),
                ("name: 101 characters", { $0.name = long }), ("device: 101 characters", { $0.device = long }),
                ("name: a control character", { $0.name = "a\u{7}b" }),
            ]
            for (words, change) in changes {
                var request = good
                change(&request)
                let error = try await errorOf { try await ann.finish(request) }
                #expect(error?.code == .invalidArgument && error?.message.hasPrefix(words) == true, "\(words)")
            }
            // None of that has used the challenge up.
            let made = try await ann.finish(good)
            for (request, words) in [
                (RenamePasskeyRequest(name: "x"), "id: it is missing"),
                (RenamePasskeyRequest(id: made.id, name: " "), "name: it is missing"),
                (RenamePasskeyRequest(id: made.id, name: long), "name: 101 characters"),
                (RenamePasskeyRequest(id: long, name: "x"), "id: 101 characters"),
            ] {
                let error = try await errorOf { try await service.passkeys.renamePasskey(request, ann.options) }
                #expect(error?.code == .invalidArgument && error?.message.hasPrefix(words) == true, "\(words)")
            }
        }
    }

    @Test("of many answers that come at once one is stored")
    func concurrent() async throws {
        try await RunningAccounts.with { service in
            let ann = try await PasskeyOwner(service, "ann@example.org")
            let request = ann.attestation(try await ann.begin().challenge)
            let (client, options) = (service.passkeys, ann.options)
            let stored = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask { (try? await client.finishPasskeyRegistration(request, options)) != nil }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(stored == 1)
            #expect(try await ann.list().count == 1)
        }
    }

    @Test("a flood of challenges pushes out old ones of the same asker, and leaves room for all others")
    func flood() async throws {
        try await RunningAccounts.with { service in
            var ann = try await PasskeyOwner(service, "ann@example.org")
            try await ann.register()
            let mine = try await ann.challenge(from: "192.0.2.9")
            var flood: [[UInt8]] = []
            for _ in 0...PasskeyChallenge.maximumOfAsker {
                service.clock.move(by: 1)
                flood.append(try await ann.challenge())
            }
            let (oldest, next) = (try #require(flood.first), try #require(flood.dropFirst().first))
            #expect(try await errorOf { try await ann.logIn(try ann.assertion(oldest)) }?.code == .unauthenticated)
            _ = try await ann.logIn(try ann.assertion(next))
            _ = try await ann.logIn(try ann.assertion(mine), from: "192.0.2.9")
            #expect(try await Self.challengeCount(service) == PasskeyChallenge.maximumOfAsker - 1)
            try await service.store.database.write { transaction throws(SQLError) in
                try transaction.limitPasskeyChallenges(10)
            }
            #expect(try await Self.challengeCount(service) == 10)
            _ = try await ann.logIn(try ann.assertion(try #require(flood.last)))
            service.clock.move(by: 300_000)
            await service.store.deleteExpired()
            #expect(try await Self.challengeCount(service) == 0)
        }
    }

    private static func challengeCount(_ service: RunningAccounts) async throws -> Int {
        let count = try await service.store.database.read { transaction throws(SQLError) in
            try transaction.first("SELECT count(*) FROM passkey_challenges") { row throws(SQLError) in
                try row.integer(0)
            }
        }
        return Int(try #require(count))
    }
}
