import Mail
import Testing

@Suite("Messages of mail")
struct MailMessageTests {
    private func message(_ subject: String, _ text: String) throws -> String {
        let (from, to) = (MailAddress("waymark@example.org"), MailAddress("ann@example.org"))
        let message = MailMessage(
            to: try #require(to), subject: subject, text: text, id: "a-1_B", time: 1_795_696_993_000)
        return String(decoding: message.bytes(from: try #require(from)), as: UTF8.self)
    }

    @Test("have the fields that servers and readers need, and lines that end with CRLF")
    func plain() throws {
        #expect(
            try message("Hello", "One.\nTwo.") == """
                From: Waymark <waymark@example.org>\r
                To: ann@example.org\r
                Subject: Hello\r
                Date: Thu, 26 Nov 2026 12:43:13 +0000\r
                Message-ID: <a-1_B@example.org>\r
                Auto-Submitted: auto-generated\r
                MIME-Version: 1.0\r
                Content-Type: text/plain; charset=utf-8\r
                Content-Transfer-Encoding: 7bit\r
                \r
                One.\r
                Two.\r

                """)
    }

    @Test("are in Base64 where they are not plain ASCII, in short lines", arguments: [1, 56, 57, 58, 400])
    func coded(length: Int) throws {
        let text = try message("Grüße", String(repeating: "é", count: length))
        #expect(text.contains("\r\nSubject: =?utf-8?B?R3LDvMOfZQ==?=\r\n"))
        #expect(text.contains("\r\nContent-Transfer-Encoding: base64\r\n"))
        let body = try #require(text.split(separator: "\r\n\r\n").last)
        #expect(body.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 76 })
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("have no more fields than these, whatever a subject has, and no line that is too long for a server")
    func injected() throws {
        for subject in ["a\r\nBcc: eve@example.org", "a\nBcc: eve@example.org", "a\u{0}b", "ä\r\nBcc: eve@example.org"]
        {
            let head = try #require(try message(subject, "x").split(separator: "\r\n\r\n").first)
            #expect(head.split(separator: "\r\n").count == 9 && !head.contains("\nBcc"), "\(subject)")
            #expect(!head.replacing("\r\n", with: "").unicodeScalars.contains { $0.value < 0x20 })
        }
        let long = try message("x", String(repeating: "y", count: 2_000))
        #expect(long.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 998 })
        let subject = try message(String(repeating: "ü", count: 300), "x")
        #expect(subject.contains("=?utf-8?B?"))
    }

    @Test(
        "go to addresses that are one address and nothing else",
        arguments: [
            ("ann@example.org", true), ("a.b+c_d'e@mail.example.org", true), ("ann@localhost", true),
            ("Ann@EXAMPLE.org", true), ("", false), ("ann", false), ("@", false), ("ann@", false), ("@x.org", false),
            ("a@b@c", false), ("ann@example.org\r\nBcc: eve@example.org", false), ("a<b@example.org", false),
            ("ann>@example.org", false), ("\"a b\"@example.org", false), ("a,b@example.org", false),
            ("ann@[192.0.2.1]", false), ("ann@-x.org", false), ("ann@x-.org", false), ("ann@x..org", false),
            (".ann@x.org", false), ("a..b@x.org", false), ("jürgen@example.org", false), ("ann@exämple.org", false),
            ("ann@example.org ", false), ("ann\u{0}@example.org", false), ("a\u{2028}b@example.org", false),
            ("ann@\u{212A}.org", false), (String(repeating: "a", count: 65) + "@x.org", false),
            ("a@" + String(repeating: "x", count: 64) + ".org", false),
            ("a@" + String(repeating: "x.", count: 130) + "org", false),
        ] as [(String, Bool)])
    func addresses(text: String, isOne: Bool) {
        #expect((MailAddress(text) != nil) == isOne)
    }
}

@Suite("Settings of mail servers")
struct MailServerTests {
    @Test(
        "say where it is and whether it is encrypted",
        arguments: [
            ("smtp://mail.example.org", "mail.example.org:587", MailEncryption.startTLS),
            ("smtp://mail.example.org:25/", "mail.example.org:25", .startTLS),
            ("SMTPS://mail.example.org", "mail.example.org:465", .fromStart),
            ("smtps://[2001:db8::1]:4650", "[2001:db8::1]:4650", .fromStart),
            ("smtp://127.0.0.1:2525", "127.0.0.1:2525", .none), ("smtp://localhost", "localhost:587", .none),
            ("smtp://127.0.0.1.example.org", "127.0.0.1.example.org:587", .startTLS),
        ])
    func good(url: String, endpoint: String, encryption: MailEncryption) throws {
        let server = try MailServer(url)
        #expect("\(server.endpoint)" == endpoint && server.encryption == encryption)
    }

    @Test("may go without TLS where that is asked for, and need it on this machine where an authority is given")
    func chosen() throws {
        #expect(try MailServer("smtp://mail.example.org", isPlain: true).encryption == .none)
        #expect(try MailServer("smtp://127.0.0.1", authorities: "/ca.pem").encryption == .startTLS)
        let error = #expect(throws: MailServerProblem.self) {
            () throws in try MailServer("smtps://mail.example.org", isPlain: true)
        }
        #expect(error?.description == "smtps:// is never without TLS")
    }

    @Test("never show the password")
    func secret() throws {
        let server = try MailServer("smtp://mail.example.org", logIn: MailLogIn(user: "ann", password: "hunter2"))
        #expect("\(server)" == "smtp://mail.example.org:587")
        #expect(!String(reflecting: server).contains("hunter2"))
    }

    @Test(
        "are refused where they are not plain",
        arguments: [
            "", "smtp", "smtp:", "smtp://", "smtp:///", "http://mail.example.org", "mail.example.org:587",
            "smtp://user:secret@mail.example.org", "smtp://a,b:25", "smtp://mail.example.org:0",
            "smtp://mail.example.org:99999", "smtp://mail.example.org/path", "smtp://mail.example.org?x=1",
            "smtp://mail.example.org#x", "smtp://mail exam.ple", "smtp://mäil.example.org", "smtp://a%0d%0ab",
        ])
    func bad(url: String) {
        #expect(throws: MailServerProblem.self) { () throws in try MailServer(url) }
    }
}
