import EventLoops
import Mail
import TestSupport
import TestTools
import Testing

@Suite("Sending mail to a real server", .timeLimit(.minutes(2)))
struct MailSenderTests {
    /// What comes of a message.
    private func send(_ server: MailServer, text: String = "Hello.") async throws -> MailError? {
        let from = try #require(MailAddress("waymark@example.org"))
        let sender = MailSender(server, from: from)
        let to = try #require(MailAddress("ann@example.net"))
        let message = MailMessage(to: to, subject: "Hello", text: text, id: "1", time: 0)
        var failure: MailError?
        do throws(MailError) { try await sender.send(message) } catch { failure = error }
        // In a test of its being cancelled, too.
        await Task { try? await BlockingCalls.run { sender.close() } }.value
        return failure
    }

    private func address(_ server: SMTPServer, _ scheme: String = "smtp", host: String = "127.0.0.1") -> String {
        "\(scheme)://\(host):\(server.port)"
    }

    @Test("arrives as it is, lines that begin with a dot as well")
    func plain() async throws {
        let server = try await SMTPServer()
        #expect(try await send(MailServer(address(server)), text: ".\n..\nÄ.\n") == nil)
        let message = try await server.message()
        #expect(message.sender == "waymark@example.org" && message.recipients == ["ann@example.net"])
        #expect(!message.isEncrypted && message.clientName == "example.org" && message["Subject"] == "Hello")
        #expect(try await send(MailServer(address(server)), text: ".\n..\nfoo") == nil)
        #expect(try await server.message().body == ".\n..\nfoo\n")
    }

    @Test("goes through STARTTLS or TLS from the start, with a password", arguments: [false, true])
    func encrypted(fromStart: Bool) async throws {
        let certificates = try TestCertificates.shared.get()
        let (pair, user) = (certificates.server, ["--user", "ann", "--password", "hunter2"])
        let tls = ["--certificate", pair.certificate, "--key", pair.key] + (fromStart ? ["--from-start"] : [])
        let server = try await SMTPServer(tls + user)
        let scheme = fromStart ? "smtps" : "smtp"
        func settings(_ password: String, _ authority: String = certificates.authority) throws -> MailServer {
            try MailServer(
                address(server, scheme, host: "localhost"), authorities: authority,
                logIn: MailLogIn(user: "ann", password: password))
        }
        #expect(try await send(settings("hunter2")) == nil)
        let message = try await server.message()
        #expect(message.isEncrypted && message.user == "ann")
        // The message waits for the operator then.
        #expect(try await send(settings("wrong"))?.isLater == true)
        #expect(try await send(settings("hunter2", certificates.stranger.certificate))?.isLater == true)
    }

    @Test("is not sent to a server whose certificate is another's or has ended", arguments: ["elsewhere", "expired"])
    func certificate(name: String) async throws {
        let certificates = try TestCertificates.shared.get()
        let pair = name == "expired" ? certificates.expired : certificates.elsewhere
        let server = try await SMTPServer(["--certificate", pair.certificate, "--key", pair.key])
        let settings = try MailServer(
            address(server, host: "localhost"), authorities: certificates.authority)
        #expect(try await send(settings)?.isLater == true)
    }

    @Test("is not sent in the clear where a server does not offer STARTTLS")
    func stripped() async throws {
        let server = try await SMTPServer()
        let authority = try TestCertificates.shared.get().authority
        #expect(try await send(MailServer(address(server), authorities: authority))?.isLater == true)
    }

    @Test(
        "that is refused for good says so, and what may be taken later does too",
        arguments: [
            ("550", true), ("rcpt-550", true), ("554", true), ("451", false), ("rcpt-451", false), ("rcpt-530", false),
            ("close", false),
        ])
    func refused(reply: String, isForGood: Bool) async throws {
        let server = try await SMTPServer([reply])
        let error = try await send(MailServer(address(server)))
        #expect(error?.isLater == !isForGood, "\(String(describing: error))")
    }

    @Test("may be tried later where there is no server")
    func away() async throws {
        let port = try ClosedPort()
        #expect(try await send(MailServer("smtp://\(port.endpoint)"))?.isLater == true)
        #expect(try await send(MailServer("smtps://\(port.endpoint)"))?.isLater == true)
    }

    @Test("ends soon when it is cancelled, though the server never answers")
    func hanging() async throws {
        let server = try await SMTPServer(["hang"])
        let settings = try MailServer(address(server))
        let sending = Task { try await send(settings) }
        #expect(try await server.message().isTaken == false)
        sending.cancel()
        #expect(try await sending.value?.isLater == true)
    }
}

extension MailError {
    fileprivate var isLater: Bool {
        if case .notNow = self { true } else { false }
    }
}
