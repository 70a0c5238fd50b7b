import AccountContracts
import Crypto
import RPC
import Storage
import TestSupport
import Testing
import Wire

@testable import Accounts

@Suite("P30 changing passwords", .timeLimit(.minutes(2)))
struct PasswordTests {
    @Test(
        "is the same however a keyboard composes its letters and writes its blanks, also where it was hashed as typed")
    func forms() async throws {
        try await RunningAccounts.with { service in
            let (composed, decomposed) = ("caf\u{e9} \u{c5}ngstr\u{f6}m", "cafe\u{301}\u{3000}A\u{30a}ngstro\u{308}m")
            let request = SignUpRequest(email: "ann@example.org", password: decomposed)
            _ = try await service.accounts.signUp(request, service.from())
            for text in [composed, decomposed] { _ = try await service.logIn("ann@example.org", text) }
            let other = try await errorOf { try await service.logIn("ann@example.org", "cafe Angstrom") }
            #expect(other?.code == .unauthenticated)

            let old = try #require(Argon2id.hash(Array(decomposed.utf8)))
            try await service.store.database.write { transaction throws(SQLError) in
                try transaction.execute("UPDATE accounts SET password = ?1", old)
            }
            let before = try await errorOf { try await service.logIn("ann@example.org", composed) }
            #expect(before?.code == .unauthenticated)
            for text in [decomposed, composed] { _ = try await service.logIn("ann@example.org", text) }
        }
    }

    @Test("needs the present one, and ends all other sessions")
    func change() async throws {
        try await RunningAccounts.with { service in
            let (first, second) = (
                try await service.signUp("ann@example.org"), try await service.logIn("ann@example.org")
            )
            let account = try #require(first.account?.id)
            let current = try #require(try await service.check(first.token)).session
            let options = service.of(account, session: current)
            let wrong = ChangePasswordRequest(password: "wrong", newPassword: "another one")
            let error = try await errorOf { try await service.accounts.changePassword(wrong, options) }
            #expect(error?.code == .invalidArgument && error?.message.contains("password: it is wrong") == true)
            let right = ChangePasswordRequest(password: RunningAccounts.password, newPassword: "another one")
            #expect(try await service.accounts.changePassword(right, options).endedCount == 1)
            #expect(try await service.check(first.token) != nil)
            #expect(try await service.check(second.token) == nil)
            #expect(try await errorOf { try await service.logIn("ann@example.org") }?.code == .unauthenticated)
            _ = try await service.logIn("ann@example.org", "another one")
        }
    }

    @Test("by the code of an administrator works once, and ends all sessions")
    func reset() async throws {
        try await RunningAccounts.with { service in
            let session = try await service.signUp("ann@example.org")
            let make = CreateResetCodeRequest(email: "ann@example.org")
            let old = try await service.administration.createResetCode(make, service.ofAdministrator).code
            let code = try await service.administration.createResetCode(make, service.ofAdministrator).code
            for (code, isGood) in [(old, false), (code, true), (code, false)] {
                let request = ResetPasswordRequest(code: code, password: "another one")
                let error = try await errorOf { try await service.accounts.resetPassword(request, service.from()) }
                #expect((error == nil) == isGood, "\(error?.message ?? "")")
            }
            #expect(try await service.check(session.token) == nil)
            _ = try await service.logIn("ann@example.org", "another one")
            let late = try await service.administration.createResetCode(make, service.ofAdministrator).code
            service.clock.move(by: 86_400_000)
            let request = ResetPasswordRequest(code: late, password: "one more one")
            #expect(
                try await errorOf { try await service.accounts.resetPassword(request, service.from()) }?.code
                    == .invalidArgument)
        }
    }

    @Test("that were hashed with less are hashed again at the next log-in")
    func rehash() async throws {
        // Made by libsodium's crypto_pwhash_argon2id_str with one pass over 8 KiB, of "correct horse".
        let hash = "$argon2id$v=19$m=8,t=1,p=1$VLgRBoLPHnOcFVK9LYcg4A$bvp+05JyxX71SZFTxNOhCGqYelAPKhlnHk3o4bpUnP8"
        try await RunningAccounts.with { service in
            let session = try await service.signUp("ann@example.org")
            let account = try #require(session.account?.id)
            #expect(Argon2id.isOutdated(hash))
            try await service.store.database.write { transaction throws(SQLError) in
                try transaction.setPassword(hash, of: account)
            }
            _ = try await service.logIn("ann@example.org")
            let found = try await service.store.database.read { transaction throws(SQLError) in
                try transaction.passwordHash(of: account)
            }
            let now = try #require(found)
            #expect(now != hash && !Argon2id.isOutdated(now))
            _ = try await service.logIn("ann@example.org")
        }
    }

    @Test("of the profile of open mode is refused: it has none")
    func local() async throws {
        try await RunningAccounts.with { service in
            let request = ChangePasswordRequest(password: "x", newPassword: "another one")
            let error = try await errorOf { try await service.accounts.changePassword(request, service.of("local")) }
            #expect(error?.code == .failedPrecondition)
            let profile = try await service.accounts.getProfile(GetProfileRequest(), service.of("local")).account
            #expect(profile?.id == "local" && profile?.email == "")
        }
    }
}
