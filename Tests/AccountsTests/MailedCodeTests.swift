import AccountContracts
import Mail
import RPC
import Storage
import TestSupport
import TestTools
import Testing
import Wire

@testable import Accounts

@Suite("P30 forgotten passwords, by mail", .timeLimit(.minutes(3)))
struct MailedCodeTests {
    @Test("the message has a code that sets a password once, ends all sessions and is stored nowhere in clear")
    func whole() async throws {
        let server = try await SMTPServer()
        try await RunningAccounts.with(mail: try server.settings) { service in
            let session = try await service.signUp("Ann@Example.org")
            try await service.forget("ann@example.ORG")
            let message = try await server.message()
            #expect(message.recipients == ["Ann@Example.org"] && message.sender == "waymark@example.org")
            #expect(message["Subject"] == "Your new password for Waymark" && message["To"] == "Ann@Example.org")
            #expect(message["Auto-Submitted"] == "auto-generated" && message.body.contains("192.0.2.1"))
            let code = try #require(message.secret(behind: "https://map.example.org/#/reset/"))
            try await service.untilMailIsSent()
            #expect(try await !service.hasInDatabase(code))
            #expect(try await service.reset(code) == nil)
            #expect(try await service.check(session.token) == nil)
            _ = try await service.logIn("ann@example.org", "another one")
            #expect(try await service.reset(code)?.code == .invalidArgument)
            // Its owner reads that it happened, by mail and in the account.
            let notice = try await server.message()
            #expect(notice["Subject"] == "Your password for Waymark was set" && !notice.body.contains("/#/"))
            let kinds = try await service.kinds(of: session)
            #expect(kinds.contains(.resetMailed) && kinds.contains(.passwordReset))
        }
    }

    @Test("a code ends after an hour, and when another one is made, by mail or by an administrator")
    func ends() async throws {
        let server = try await SMTPServer()
        try await RunningAccounts.with(mail: try server.settings) { service in
            _ = try await service.signUp("ann@example.org")
            var codes: [String] = []
            for _ in 0..<2 {
                try await service.forget("ann@example.org")
                codes.append(try #require(try await server.message().secret(behind: "#/reset/")))
            }
            #expect(try await service.reset(codes[0])?.code == .invalidArgument)
            let make = CreateResetCodeRequest(email: "ann@example.org")
            let code = try await service.administration.createResetCode(make, service.ofAdministrator).code
            #expect(try await service.reset(codes[1])?.code == .invalidArgument)
            try await service.untilMailIsSent()
            #expect(try await service.reset(code) == nil)
            #expect(try await server.message()["Subject"] == "Your password for Waymark was set")
            try await service.forget("ann@example.org")
            let late = try #require(try await server.message().secret(behind: "#/reset/"))
            service.clock.move(by: 3_600_000)
            #expect(try await service.reset(late)?.code == .invalidArgument)
        }
    }

    @Test("an address without an account and a locked account get the same answer, and no message")
    func unknown() async throws {
        let server = try await SMTPServer()
        try await RunningAccounts.with(mail: try server.settings) { service in
            _ = try await service.signUp("ann@example.org")
            _ = try await service.signUp("bob@example.org")
            // There has to be an administrator left.
            let roles = SetRolesRequest(email: "ann@example.org", roles: [.user, .admin])
            _ = try await service.administration.setRoles(roles, service.ofAdministrator)
            let lock = LockAccountRequest(email: "bob@example.org", locked: true)
            _ = try await service.administration.lockAccount(lock, service.ofAdministrator)
            var answers: [RequestPasswordResetResponse] = []
            for email in ["no-one@example.org", "bob@example.org", "ann@example.org"] {
                let request = RequestPasswordResetRequest(email: email)
                answers.append(try await service.mail.requestPasswordReset(request, service.from()))
            }
            #expect(answers.allSatisfy { $0.packedBytes() == answers[0].packedBytes() })
            #expect(try await server.message().recipients == ["ann@example.org"])
            try await service.untilMailIsSent()
            #expect(try await !service.hasInDatabase("no-one@example.org"))
        }
    }

    @Test("an address that only looks the same gets no message of another one")
    func lookalike() async throws {
        let server = try await SMTPServer()
        try await RunningAccounts.with(mail: try server.settings) { service in
            _ = try await service.signUp("ann@kelvin.example")
            try await service.forget("ann@\u{212A}elvin.example")
            #expect(try await server.message().recipients == ["ann@kelvin.example"])
        }
    }

    @Test("three are sent to an address within an hour; more are not, and the answer does not say so")
    func perAddress() async throws {
        let server = try await SMTPServer()
        try await RunningAccounts.with(mail: try server.settings) { service in
            _ = try await service.signUp("ann@example.org")
            _ = try await service.signUp("bob@example.org")
            for _ in 0..<3 {
                try await service.forget("ann@example.org")
                #expect(try await server.message().recipients == ["ann@example.org"])
            }
            for number in 0..<5 { try await service.forget("ann@example.org", from: "198.51.100.\(number)") }
            for _ in 0..<5 { try await service.forget("no-one@example.org", from: "198.51.100.9") }
            try await service.forget("bob@example.org")
            #expect(try await server.message().recipients == ["bob@example.org"])
            // A job that has not ended yet would lose its lease by the move, and send its message again.
            try await service.untilMailIsSent()
            service.clock.move(by: 3_600_000)
            try await service.forget("ann@example.org")
            #expect(try await server.message().recipients == ["ann@example.org"])
        }
    }

    @Test("many who ask at once for the same address have three sent as well, and no call fails")
    func atOnce() async throws {
        let server = try await SMTPServer()
        try await RunningAccounts.with(mail: try server.settings) { service in
            let session = try await service.signUp("ann@example.org")
            _ = try await concurrently(0..<24) { number in
                try await service.forget("ann@example.org", from: "198.51.100.\(number)")
            }
            try await service.untilMailIsSent()
            let sent = try await service.kinds(of: session).count { $0 == .resetMailed }
            #expect((1...3).contains(sent))
            var codes: [String] = []
            for _ in 0..<sent { codes.append(try #require(try await server.message().secret(behind: "#/reset/"))) }
            // The newest is good, and it alone.
            var good = 0
            for code in codes where try await service.reset(code) == nil { good += 1 }
            #expect(good == 1)
        }
    }

    @Test("a client that asks for too many waits, others do not, and many waiting messages are not made more")
    func bounded() async throws {
        try await RunningAccounts.with(mail: try MailServer("smtp://\(try ClosedPort().endpoint)")) { service in
            for number in 0..<20 { try await service.forget("someone-\(number)@example.org") }
            let error = try await errorOf { try await service.forget("ann@example.org") }
            #expect(error?.code == .resourceExhausted && error?.details?.retryAfterMs ?? 0 > 0)
            try await service.forget("ann@example.org", from: "198.51.100.7")
            let time = service.clock.now
            try await service.store.database.write { transaction throws(SQLError) in
                for number in 0..<QueuedMail.maximumQueued {
                    let id = "\(number)"
                    try transaction.execute(
                        "INSERT INTO mail (id, kind, account, email, address, created_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                        id, "reset", "", id, "", time)
                }
            }
            let full = try await errorOf { try await service.forget("ann@example.org", from: "198.51.100.8") }
            #expect(full?.code == .resourceExhausted && full?.message.contains("too many messages wait") == true)
        }
    }

    @Test(
        "every field that is wrong is named",
        arguments: [
            "", " ", "ann", "@example.org", "ann@", "a@b@c", "ann@example.org\r\nBcc: eve@example.org",
            "ann @example.org",
            "ann\u{0}@example.org", "ann@example.org\n", String(repeating: "a", count: 250) + "@example.org",
        ])
    func badInput(email: String) async throws {
        try await RunningAccounts.with(signUp: .invitation, mail: try MailServer("smtp://127.0.0.1:9")) { service in
            let forgotten = try await errorOf { try await service.forget(email) }
            let invited = try await errorOf { try await service.invite(email) }
            for error in [forgotten, invited] {
                #expect(error?.code == .invalidArgument && error?.message.hasPrefix("email: ") == true)
            }
        }
    }

    @Test("without a mail server it is refused, with words that say what helps")
    func off() async throws {
        try await RunningAccounts.with(signUp: .invitation) { service in
            for error in [
                try await errorOf { try await service.forget("ann@example.org") },
                try await errorOf { try await service.invite("ann@example.org") },
            ] {
                #expect(error?.code == .failedPrecondition && error?.message.contains("sends no mail") == true)
            }
            let options = try await service.accounts.getAccountOptions(GetAccountOptionsRequest(), service.from())
            #expect(!options.sendsMail)
            // What is changed is changed all the same.
            _ = try await service.administration.createInvitation(CreateInvitationRequest(), service.ofAdministrator)
        }
    }
}

extension SMTPServer {
    /// How it is spoken to.
    var settings: MailServer { get throws { try MailServer("smtp://127.0.0.1:\(port)") } }
}

extension RunningAccounts {
    func forget(_ email: String, from address: String = "192.0.2.1") async throws {
        _ = try await mail.requestPasswordReset(RequestPasswordResetRequest(email: email), from(address))
    }

    func invite(_ email: String) async throws {
        _ = try await mail.sendInvitation(SendInvitationRequest(email: email), ofAdministrator)
    }

    /// Sets "another one" with a code; the error, if it is refused.
    func reset(_ code: String) async throws -> RPCError? {
        try await errorOf {
            try await accounts.resetPassword(ResetPasswordRequest(code: code, password: "another one"), from())
        }
    }

    /// What happened to the account of a session, the newest first.
    func kinds(of session: NewSession) async throws -> [SecurityEventKind] {
        let account = session.account?.id ?? ""
        return try await accounts.listSecurityEvents(ListSecurityEventsRequest(), of(account)).events.map(\.kind)
    }

    /// Waits until nothing is queued.
    func untilMailIsSent() async throws {
        while try await jobCount() > 0 { await Task.yield() }
    }

    private func jobCount() async throws -> Int {
        try await store.database.read { transaction throws(SQLError) in try transaction.jobCount(MailJob.name) }
    }

    /// Whether a text is in a row of a message, a job or a code.
    func hasInDatabase(_ text: String) async throws -> Bool {
        let rows = try await store.database.read { transaction throws(SQLError) in
            try transaction.rows("SELECT id, email, account, address FROM mail") { row throws(SQLError) in
                [try row.text(0), try row.text(1), try row.text(2), try row.text(3)].joined(separator: " ")
            }
                + transaction.rows("SELECT key, reason FROM jobs") { row throws(SQLError) in
                    [try row.text(0), try row.text(1)].joined(separator: " ")
                }
                + transaction.rows("SELECT digest, account FROM account_codes") { row throws(SQLError) in
                    try row.text(1) + String(decoding: try row.blob(0), as: UTF8.self)
                }
        }
        return rows.contains { $0.contains(text) }
    }
}
