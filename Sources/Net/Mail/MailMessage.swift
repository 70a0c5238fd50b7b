internal import Bytes
internal import FoundationEssentials

/// A short message in plain text to one address.
package struct MailMessage: Sendable, Equatable {
    package let to: MailAddress
    /// One line.
    package let subject: String
    /// Lines with "\n" between them.
    package let text: String
    /// What is before the "@" of its Message-ID: unique, of letters, digits, "-" and "_".
    package let id: String
    /// Milliseconds since 1970.
    package let time: Int64

    package init(to: MailAddress, subject: String, text: String, id: String, time: Int64) {
        self.to = to
        self.subject = subject
        self.text = text
        self.id = id
        self.time = time
    }

    /// What is sent (RFC 5322): header fields, an empty line and the text, each line with CRLF behind it.
    package func bytes(from sender: MailAddress) -> [UInt8] {
        let (encoding, body) = Self.encoded(text)
        let fields = [
            ("From", "Waymark <\(sender)>"), ("To", to.description), ("Subject", Self.phrase(subject)),
            ("Date", MailTime.text(time)),
            (
                "Message-ID",
                "<\(String(String.UnicodeScalarView(id.unicodeScalars.filter(Self.isOfID))))@\(sender.domain)>"
            ),
            // Programs that answer mails do not answer this one (RFC 3834).
            ("Auto-Submitted", "auto-generated"), ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"), ("Content-Transfer-Encoding", encoding),
        ]
        let head = fields.map { "\($0): \(Self.line($1))\r\n" }.joined()
        return Array("\(head)\r\n\(body)".utf8)
    }

    /// The longest line that every server takes (RFC 5321).
    private static let lineBytes = 998

    private static func isOfID(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCIILetter || scalar.isDigit || scalar == "-" || scalar == "_"
    }

    /// No field has a second line, whatever it is made of.
    private static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }))
    }

    /// As it is where it is ASCII, else in Base64.
    private static func encoded(_ text: String) -> (encoding: String, body: String) {
        let lines = text.split(at: "\n", omittingEmptySubsequences: false)
        let isPlain = lines.allSatisfy { line in
            line.utf8.count <= lineBytes && line.utf8.allSatisfy { (0x20..<0x7f).contains($0) || $0 == 0x09 }
        }
        if isPlain { return ("7bit", lines.map { "\($0)\r\n" }.joined()) }
        let coded = Array(Data("\(lines.joined(separator: "\r\n"))\r\n".utf8).base64EncodedData())
        let rows = stride(from: 0, to: coded.count, by: 76).map { start in
            String(decoding: coded[start..<min(start + 76, coded.count)], as: UTF8.self) + "\r\n"
        }
        return ("base64", rows.joined())
    }

    /// A text of a header field; where it is not ASCII as words of at most 45 bytes each (RFC 2047).
    private static func phrase(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return text }
        var words: [[UInt8]] = [[]]
        for scalar in line(text).unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if let last = words.last, last.count + bytes.count > 45 { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: " ")
    }
}
