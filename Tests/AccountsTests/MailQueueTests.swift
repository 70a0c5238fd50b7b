import AccountContracts
import Mail
import RPC
import Storage
import TestSupport
import Testing
import Wire

@testable import Accounts

@Suite("P30 messages that wait to be sent", .timeLimit(.minutes(3)))
struct MailQueueTests {
    @Test("one that is refused for now is sent later, with another code", arguments: ["451", "rcpt-451", "close"])
    func later(reply: String) async throws {
        let server = try await SMTPServer([reply, "ok"])
        try await RunningAccounts.with(mail: try server.settings) { service in
            _ = try await service.signUp("ann@example.org")
            try await service.forget("ann@example.org")
            var first: String?
            // One whose recipient was refused has no text.
            if !reply.hasPrefix("rcpt") { first = try await server.message().secret(behind: "#/reset/") }
            try await service.passTime(until: { try await service.tries() > 0 })
            let second = try await server.message()
            #expect(second.isTaken)
            if let first { #expect(try await service.reset(first)?.code == .invalidArgument) }
            let code = try #require(second.secret(behind: "#/reset/"))
            #expect(code != first)
            #expect(try await service.reset(code) == nil)
        }
    }

    @Test(
        "one that is refused for good is given up, which its account and administrators see",
        arguments: ["550", "rcpt-550"])
    func never(reply: String) async throws {
        let server = try await SMTPServer([reply, "ok"])
        try await RunningAccounts.with(mail: try server.settings) { service in
            let session = try await service.signUp("ann@example.org")
            try await service.forget("ann@example.org")
            let code = reply == "550" ? try await server.message().secret(behind: "#/reset/") : nil
            try await service.untilMailIsSent()
            #expect(try await service.kinds(of: session).contains(.mailFailed))
            let all = try await service.administration.listAllSecurityEvents(
                ListAllSecurityEventsRequest(), service.ofAdministrator
            ).events
            let failed = all.first { $0.kind == .mailFailed }
            #expect(failed?.device == "a new password: the mail server refuses it (550)")
            if let code { #expect(try await service.reset(code)?.code == .invalidArgument) }
        }
    }

    @Test("one that can't be sent for a day is given up")
    func expired() async throws {
        try await RunningAccounts.with(mail: try MailServer("smtp://\(try ClosedPort().endpoint)")) { service in
            let session = try await service.signUp("ann@example.org")
            try await service.forget("ann@example.org")
            while try await service.tries() == 0 { await Task.yield() }
            service.clock.move(by: 86_400_000)
            try await service.forget("no-one@example.org")
            try await service.untilMailIsSent()
            #expect(try await service.kinds(of: session).contains(.mailFailed))
        }
    }

    @Test("one to an address that mail can't go to is given up at once")
    func unusable() async throws {
        let server = try await SMTPServer()
        try await RunningAccounts.with(mail: try server.settings) { service in
            let session = try await service.signUp("änn<b>@example.org")
            try await service.forget("änn<b>@example.org")
            try await service.untilMailIsSent()
            #expect(try await service.kinds(of: session).contains(.mailFailed))
        }
    }

    @Test("an administrator's code ends one that waits: it would end the code")
    func overtaken() async throws {
        try await RunningAccounts.with(mail: try MailServer("smtp://\(try ClosedPort().endpoint)")) { service in
            _ = try await service.signUp("ann@example.org")
            try await service.forget("ann@example.org")
            while try await service.tries() == 0 { await Task.yield() }
            let make = CreateResetCodeRequest(email: "ann@example.org")
            let code = try await service.administration.createResetCode(make, service.ofAdministrator).code
            service.clock.move(by: 60_000)
            try await service.forget("no-one@example.org")
            try await service.untilMailIsSent()
            #expect(try await service.reset(code) == nil)
        }
    }

    @Test("an invitation is sent with a code that makes one account, and is noted")
    func invitation() async throws {
        let server = try await SMTPServer()
        try await RunningAccounts.with(signUp: .invitation, mail: try server.settings) { service in
            try await service.invite("bob@example.org")
            let message = try await server.message()
            #expect(message.recipients == ["bob@example.org"] && message["Subject"] == "You are invited to Waymark")
            let code = try #require(message.secret(behind: "https://map.example.org/#/invitation/"))
            try await service.untilMailIsSent()
            for (email, isGood) in [("robert@example.org", true), ("eve@example.org", false)] {
                let request = SignUpRequest(
                    email: email, password: RunningAccounts.password, invitation: code)
                let error = try await errorOf { try await service.accounts.signUp(request, service.from()) }
                #expect((error == nil) == isGood)
            }
            let all = try await service.administration.listAllSecurityEvents(
                ListAllSecurityEventsRequest(), service.ofAdministrator
            ).events
            #expect(all.contains { $0.kind == .invitationMailed && $0.device == "bob@example.org" })
            // Who is not asked by invitation is not invited; an address that is not one in ASCII is refused.
            #expect(try await errorOf { try await service.invite("jürgen@example.org") }?.code == .invalidArgument)
        }
        try await RunningAccounts.with(signUp: .open, mail: try server.settings) { service in
            let error = try await errorOf { try await service.invite("bob@example.org") }
            #expect(error?.code == .failedPrecondition)
        }
    }

    @Test("a changed password is reported to its owner, in words that no one else has chosen")
    func notice() async throws {
        let server = try await SMTPServer()
        try await RunningAccounts.with(mail: try server.settings) { service in
            let session = try await service.signUp("ann@example.org")
            let account = try #require(session.account?.id)
            let names = UpdateProfileRequest(firstName: "Click http://evil.example", lastName: "now")
            _ = try await service.accounts.updateProfile(names, service.of(account))
            let change = ChangePasswordRequest(password: RunningAccounts.password, newPassword: "another one")
            _ = try await service.accounts.changePassword(change, service.of(account))
            let message = try await server.message()
            #expect(
                message["Subject"] == "Your password for Waymark was changed"
                    && message.recipients == ["ann@example.org"])
            #expect(!message.text.contains("evil") && !message.text.contains("Firefox"))
            #expect(message.body.contains("https://map.example.org/"))
        }
    }

    @Test("who changes a password again and again writes to its owner five times an hour at most")
    func notices() async throws {
        let server = try await SMTPServer()
        try await RunningAccounts.with(mail: try server.settings) { service in
            let account = try #require(try await service.signUp("ann@example.org").account?.id)
            for number in 0..<7 {
                let change = ChangePasswordRequest(
                    password: number == 0 ? RunningAccounts.password : "another \(number)",
                    newPassword: "another \(number + 1)")
                _ = try await service.accounts.changePassword(change, service.of(account))
            }
            try await service.forget("ann@example.org")
            var subjects: [String?] = []
            for _ in 0..<6 { subjects.append(try await server.message()["Subject"]) }
            #expect(subjects.count { $0 == "Your password for Waymark was changed" } == 5)
            #expect(subjects.contains("Your new password for Waymark"))
            try await service.untilMailIsSent()
        }
    }
}

extension RunningAccounts {
    /// How often the message that waits was tried.
    func tries() async throws -> Int {
        try await store.database.read { transaction throws(SQLError) in
            try transaction.first("SELECT max(tries) FROM jobs WHERE kind = ?1", MailJob.name) {
                row throws(SQLError) in Int(try row.optionalInteger(0) ?? 0)
            } ?? 0
        }
    }

    /// Waits for what is expected, then lets so much time pass that all that waits is due, which a new request shows.
    func passTime(until condition: () async throws -> Bool) async throws {
        while try await !condition() { await Task.yield() }
        clock.move(by: 60_000)
        try await forget("no-one@example.org", from: "203.0.113.77")
    }
}
