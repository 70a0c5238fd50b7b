import Mail
import TestSupport
import TestTools
import Testing

@Suite("Mail servers that lie", .timeLimit(.minutes(3)))
struct LyingMailServerTests {
    struct Lie: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What it says first, and to each line of the client's after that, before it goes away.
        let replies: [String]
        var needsTLS = false
    }

    static let lies = [
        Lie(testDescription: "says nothing", replies: []),
        Lie(testDescription: "says what is no SMTP", replies: ["HTTP/1.1 200 OK\r\n\r\n"]),
        Lie(testDescription: "has no number", replies: ["\u{0}\u{ff}\r\n\r\n\r\n"]),
        Lie(testDescription: "has a number that there is not", replies: ["999 hello\r\n"]),
        Lie(testDescription: "talks on and on", replies: [String(repeating: "220-hello\r\n", count: 20_000)]),
        Lie(testDescription: "has a line without end", replies: [String(repeating: "2", count: 200_000)]),
        Lie(testDescription: "takes no mail at all", replies: ["554 no\r\n"]),
        Lie(testDescription: "does not greet", replies: ["220 hello\r\n", "550 no\r\n", "550 no\r\n"]),
        Lie(
            testDescription: "refuses STARTTLS",
            replies: ["220 hello\r\n", "250-hello\r\n250 STARTTLS\r\n", "554 no\r\n"],
            needsTLS: true),
        Lie(
            testDescription: "takes STARTTLS, and goes on in the clear",
            replies: [
                "220 hello\r\n", "250-hello\r\n250 STARTTLS\r\n", "220 go\r\n250 hello\r\n", "250 x\r\n", "250 x\r\n",
            ],
            needsTLS: true),
        Lie(
            testDescription: "answers what was not asked yet",
            replies: ["220 hello\r\n250 hello\r\n250 taken\r\n250 taken\r\n354 go\r\n250 taken\r\n221 bye\r\n"],
            needsTLS: true),
        Lie(
            testDescription: "goes away in the middle",
            replies: ["220 hello\r\n", "250 hello\r\n", "250 taken\r\n", "250 taken\r\n", "354 go\r\n"]),
    ]

    @Test("neither get a message in the clear that was to be encrypted, nor are they the end of it", arguments: lies)
    func lie(_ lie: Lie) async throws {
        let listener = try RawListener()
        let authority = try TestCertificates.shared.get().authority
        let sender = MailSender(
            try MailServer("smtp://\(listener.endpoint)", authorities: lie.needsTLS ? authority : nil),
            from: try #require(MailAddress("waymark@example.org")))
        let to = try #require(MailAddress("ann@example.net"))
        async let heard = Self.serve(listener, lie)
        var failure: MailError?
        do throws(MailError) {
            try await sender.send(MailMessage(to: to, subject: "Hello", text: "secret words", id: "1", time: 0))
        } catch {
            failure = error
        }
        let text = try await heard
        if lie.needsTLS { #expect(!text.contains("secret words") && !text.contains("ann@example.net")) }
        guard case .notNow = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        try await BlockingCalls.run { sender.close() }
    }

    /// Returns what the client said.
    private static func serve(_ listener: RawListener, _ lie: Lie) async throws -> String {
        let socket = try await listener.accept()
        var heard: [UInt8] = []
        for (number, reply) in lie.replies.enumerated() {
            if number > 0 {
                guard let bytes = try? await socket.receiveBytes(), !bytes.isEmpty else { break }
                heard += bytes
            }
            guard (try? await socket.send(Array(reply.utf8))) != nil else { break }
        }
        return String(decoding: heard, as: UTF8.self)
    }
}
