import Arguments
import Settings
import Daemon
import Mail
import TestTools
import Testing

@testable import Accounts

@Suite("P30 Settings of mail")
struct MailConfigTests {
    private static let site = WebOrigin("https://map.example.org")
    private static let url = "--smtp-url=smtp://mail.example.org"
    private static let sender = "--mail-from=waymark@example.org"

    private func config(_ arguments: [String], site: WebOrigin? = site) throws -> MailConfig? {
        try MailConfig(try Options(Option.mail, arguments: arguments, environment: [:]), site: site)
    }

    @Test("mail is off as long as none is given, or all are empty")
    func off() throws {
        #expect(try config([]) == nil)
        #expect(try config(["--smtp-url=", "--mail-from=", "--smtp-user="]) == nil)
    }

    @Test("all of them make a server, whose password is in a file")
    func on() throws {
        let folder = TemporaryFolder()
        let file = try folder.write("hunter2\n", to: "password")
        let given = try config([Self.url, Self.sender, "--smtp-user", "ann", "--smtp-password-file", file])
        let mail = try #require(given)
        #expect(mail.server.logIn == MailLogIn(user: "ann", password: "hunter2"))
        #expect(mail.server.encryption == .startTLS && mail.sender.description == "waymark@example.org")
        #expect(try config([Self.url, Self.sender, "--smtp-plain"])?.server.encryption == MailEncryption.none)
    }

    @Test(
        "what is missing or wrong is named",
        arguments: [
            ([sender], "--mail-from is given without --smtp-url"), (["--smtp-user=a"], "--smtp-user is given without"),
            (["--smtp-ca=/x"], "--smtp-ca is given without --smtp-url"), ([url], "without --mail-from"),
            ([url, sender, "--smtp-user=a"], "--smtp-user is given without --smtp-password-file"),
            ([url, "--mail-from=ann"], "--mail-from is ann,"),
            ([url, "--mail-from=a@b\r\nBcc: c@d"], "--mail-from is"),
            (["--smtp-url=http://x", sender], "--smtp-url is http://x, smtp://HOST:PORT"),
            (["--smtp-url=smtp://u:hunter2@x", sender], "--smtp-url: smtp://HOST:PORT"),
            (["--smtp-url=smtps://x", sender, "--smtp-plain"], "smtps:// is never without TLS"),
            ([url, sender, "--smtp-user=a", "--smtp-password-file=/nowhere"], "--smtp-password-file"),
        ])
    func bad(arguments: [String], words: String) throws {
        let error = #expect(throws: OptionError.self) { () throws in try config(arguments) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test("links need a public address")
    func site() throws {
        let error = #expect(throws: OptionError.self) { () throws in try config([Self.url, Self.sender], site: nil) }
        #expect(error?.description.contains("--public-url") == true)
    }
}
