import Glibc
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import Waymark

@Suite("P30 P39 waymark signup, login, logout, profile, admin")
struct AccountCommandTests {
    private static func with(
        _ body: (TestGateway, CommandLineRunner, TemporaryFolder) async throws -> Void
    ) async throws {
        let (folder, gateway) = (TemporaryFolder(), TestGateway())
        try await gateway.run { run in
            var run = run
            run.environment["XDG_CONFIG_HOME"] = folder.path
            try await body(gateway, run, folder)
        }
    }

    @Test("a session that was begun is what the next commands are made with, until it is ended")
    func session() async throws {
        try await Self.with { gateway, run, folder in
            let file = try folder.write("correct horse\nsecond line", to: "password")
            #expect(await run("profile", "show").screen.lines.first == "local")
            let (_, made) = await run("signup", "ann@example.org", "--first-name", "Ann", "--password-file", file)
            #expect(made.lines == ["Logged in to \(run.target) as Ann <ann@example.org>."])
            #expect(gateway.accounts.passwords.withLock { $0["ann@example.org"] } == "correct horse")
            #expect(await run("profile", "show").screen.lines.first == "ann@example.org")
            // Who logs in again does so as no one.
            #expect(await run("signup", "bob@example.org", "--password-file", file).code == .success)
            #expect(await run("profile", "show").screen.lines.first == "bob@example.org")
            #expect(await run("login", "ann@example.org", "--password-file", file).code == .success)
            let kept = try folder.text("waymark/sessions")
            #expect(kept == "\(run.target) token-ann@example.org\n")
            var status = stat()
            #expect(stat("\(folder.path)/waymark/sessions", &status) == 0 && status.st_mode & 0o777 == 0o600)
            #expect(await run("logout").screen.lines == ["Logged out of \(run.target)."])
            #expect(gateway.accounts.ended.withLock { $0 } == ["token-ann@example.org"])
            #expect(await run("logout").screen.lines == ["No one was logged in to \(run.target)."])
            #expect(await run("profile", "show").screen.lines.first == "local")
        }
    }

    @Test("a token in a file or in the environment counts before the session, and other gateways get none of it")
    func precedence() async throws {
        try await Self.with { _, run, folder in
            let file = try folder.write("correct horse", to: "password")
            _ = await run("signup", "ann@example.org", "--password-file", file)
            let token = try folder.write("token-file@example.org\n", to: "token")
            let named = await run("profile", "show", "--token-file", token)
            #expect(named.screen.lines.first == "file@example.org")
            var other = run
            other.environment["WAYMARK_TOKEN"] = "token-variable@example.org"
            #expect(await other("profile", "show").screen.lines.first == "variable@example.org")
            let elsewhere = run.target.replacing("127.0.0.1", with: "localhost")
            #expect(await run("profile", "show", "--target", elsewhere).screen.lines.first == "local")
        }
    }

    @Test("sessions that can't be read are no lack of one: the file is named, with the reason, and nothing is called")
    func unreadable() async throws {
        try await Self.with { gateway, run, folder in
            // A folder in the place of the file can't be read by root either.
            for path in ["waymark", "waymark/sessions"] { #expect(mkdir(folder.file(path), 0o700) == 0) }
            for command in [["profile", "show"], ["logout"]] {
                let (code, screen) = await run(command)
                #expect(code != .success && screen.lines.isEmpty)
                let file = "\(folder.path)/waymark/sessions"
                #expect(screen.messages.contains("\(file) can't be read: Is a directory"), "\(screen.messages)")
            }
            #expect(gateway.accounts.ended.withLock { $0 }.isEmpty)
            var other = run
            other.environment["WAYMARK_TOKEN"] = "token-variable@example.org"
            #expect(await other("profile", "show").screen.lines.first == "variable@example.org")
        }
    }

    @Test("a wrong password and no network differ in words and exit code, and keep the session that there is")
    func refused() async throws {
        try await Self.with { _, run, folder in
            let file = try folder.write("correct horse", to: "password")
            let wrong = try folder.write("wrong", to: "wrong")
            _ = await run("signup", "ann@example.org", "--password-file", file)
            let refused = await run("login", "ann@example.org", "--password-file", wrong)
            #expect(refused.code.rawValue == 26)
            #expect(refused.screen.messages.contains("the e-mail address or the password is wrong"))
            let port = try ClosedPort()
            let away = await run("login", "ann@example.org", "--password-file", file, "--target", "\(port.endpoint)")
            #expect(away.code.rawValue == 24 && away.screen.messages.contains("can't be reached"))
            #expect(await run("profile", "show").screen.lines.first == "ann@example.org")
            var homeless = run
            homeless.environment["XDG_CONFIG_HOME"] = nil
            let none = await homeless("login", "ann@example.org", "--password-file", file)
            #expect(none.screen.messages.contains("there is no HOME to keep the session under"))
        }
    }

    @Test("a password is changed from two files, and sessions are shown")
    func password() async throws {
        try await Self.with { gateway, run, folder in
            let (old, new) = (try folder.write("old one", to: "old"), try folder.write("the new one\r\n", to: "new"))
            let (_, changed) = await run("password", "change", "--password-file", old, "--new-password-file", new)
            #expect(changed.lines == ["The password is changed. 2 other sessions ended."])
            #expect(gateway.accounts.passwords.withLock { $0["changed"] } == "old one to the new one")
            let (_, sessions) = await run("session", "list")
            #expect(sessions.lines.last == "s1  Firefox  192.0.2.1  2023-11-14 22:13:20  2023-11-14 22:13:20  yes")
        }
    }

    @Test("a code is sent for a forgotten password, and an invitation by mail, none of which is printed")
    func mail() async throws {
        try await Self.with { gateway, run, _ in
            let (code, forgot) = await run("password", "forgot", "ann@example.org")
            #expect(code == .success)
            #expect(forgot.lines.first == "If an account has this address, a message is on its way.")
            let (_, sent) = await run("admin", "invite", "--send", "bob@example.org")
            #expect(sent.lines.first?.hasPrefix("The invitation is on its way to bob@example.org;") == true)
            #expect(gateway.mail.asked.withLock { $0 } == ["reset ann@example.org", "invitation bob@example.org"])
            let refused = await run("admin", "invite", "--send", "x@none.example")
            #expect(refused.code != .success && refused.screen.messages.contains("this Waymark sends no mail"))
            #expect(await run("password", "forgot").code.rawValue == 2)
        }
    }

    @Test("administrators list, invite, lock and set roles")
    func admin() async throws {
        try await Self.with { gateway, run, _ in
            let (_, list) = await run("admin", "list")
            #expect(list.lines[1].hasPrefix("ann@example.org  Ann") && list.lines[1].contains("user, admin"))
            #expect(list.lines[2].hasSuffix("locked") && list.lines[3] == "There are more: --after bob@example.org")
            #expect(await run("admin", "invite").screen.lines[0].hasPrefix("K7QMX-00000  good once, until 2023-11-14"))
            #expect(await run("admin", "lock", "bob@example.org").screen.lines == ["bob@example.org is locked."])
            let (_, unlocked) = await run("admin", "unlock", "bob@example.org")
            #expect(unlocked.lines == ["bob@example.org is no longer locked."])
            _ = await run("admin", "roles", "bob@example.org", "user,admin")
            #expect(
                gateway.administration.asked.withLock { $0 }
                    == ["bob@example.org true", "bob@example.org false", "bob@example.org [2, 4]"])
            let (code, wrong) = await run("admin", "roles", "bob@example.org", "root")
            #expect(code.rawValue == 2 && wrong.messages.contains("ROLES has root; user and admin are allowed"))
        }
    }
}
