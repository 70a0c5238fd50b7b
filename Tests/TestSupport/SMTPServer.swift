internal import FoundationEssentials
internal import TestTools

/// A mail server that nobody here wrote (aiosmtpd), as a process of its own on a free port.
package final class SMTPServer: Sendable {
    /// It did not start.
    package struct NotReady: Error {
        let said: String
    }

    /// A message that came, or of which the answer was kept back.
    package struct Message: Sendable {
        /// Whether it was taken; one that got no answer was not.
        package let isTaken: Bool
        package let sender: String
        package let recipients: [String]
        /// Whether it came encrypted.
        package let isEncrypted: Bool
        /// Who logged in; empty for no one.
        package let user: String
        /// What the client called itself.
        package let clientName: String
        /// As it came, with CRLF.
        package let text: String

        /// The value of a header field; nil when there is none.
        package subscript(_ field: String) -> String? {
            head.first { $0.hasPrefix("\(field): ") }.map { String($0.dropFirst(field.count + 2)) }
        }

        /// The lines of the header.
        package var head: [Substring] {
            text.split(separator: "\r\n\r\n", maxSplits: 1).first?.split(separator: "\r\n") ?? []
        }

        /// What is behind the header, with "\n" between its lines.
        package var body: String {
            text.split(separator: "\r\n\r\n", maxSplits: 1).dropFirst().joined().replacing("\r\n", with: "\n")
        }

        /// The part of the link in it that is behind `mark`, as "#/reset/"; nil when there is no such link.
        package func secret(behind mark: String) -> String? {
            guard let range = body.firstRange(of: mark) else { return nil }
            return String(body[range.upperBound...].prefix { !$0.isWhitespace })
        }
    }

    private static let python = "/usr/bin/python3"
    private static let script =
        #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" } + "/MailTests/smtp_server.py"

    package let port: Int
    private let program: ProgramRun

    /// - Parameter arguments: as the script explains them: what is answered to each message.
    package init(_ arguments: [String] = []) async throws {
        program = try ProgramRun(
            Self.python, ["-W", "ignore", Self.script, "--lifeline", "\(ProgramRun.lifelineDescriptor)"] + arguments,
            environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        let line = try await program.line()
        guard let ready = try? JSONDecoder().decode(Ready.self, from: Data(line.utf8)) else {
            throw NotReady(said: "\(line) \(try await program.end().errors)")
        }
        port = ready.port
    }

    /// Waits for the next message.
    package func message() async throws -> Message {
        let line = try await program.line()
        let message = try JSONDecoder().decode(Reported.self, from: Data(line.utf8))
        return Message(
            isTaken: message.event == "message", sender: message.from, recipients: message.to,
            isEncrypted: message.tls, user: message.user, clientName: message.name,
            text: String(decoding: message.data, as: UTF8.self))
    }

    private struct Ready: Decodable {
        let port: Int
    }

    private struct Reported: Decodable {
        let event: String
        let from: String
        let to: [String]
        let tls: Bool
        let user: String
        let name: String
        let data: Data
    }
}
