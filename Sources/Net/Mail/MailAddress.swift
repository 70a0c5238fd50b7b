import Bytes

/// An address that mail is sent to or from: plain ASCII without quotes or comments, which can hold neither a line's end
/// nor a second address.
package struct MailAddress: Sendable, Equatable, CustomStringConvertible {
    /// "ann@example.org"
    package let description: String
    /// What is behind the "@".
    package let domain: String

    /// Nil for what mail can't be sent to.
    package init?(_ text: String) {
        let parts = text.split(at: "@", omittingEmptySubsequences: false)
        guard text.utf8.count <= 254, let local = parts.first, let domain = parts.last, parts.count == 2,
            local.utf8.count <= 64, Self.isLocalPart(local), Self.isDomain(domain)
        else { return nil }
        description = text
        self.domain = String(domain)
    }

    /// Words with dots between them (RFC 5322, dot-atom).
    private static func isLocalPart(_ text: Substring) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty && word.allSatisfy { isAlphanumeric($0) || marks.contains($0) }
        }
    }

    private static func isDomain(_ text: Substring) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            let hyphen = UInt8(ascii: "-")
            return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                && label.allSatisfy { isAlphanumeric($0) || $0 == hyphen }
        }
    }

    private static let marks = Set("!#$%&'*+/=?^_`{|}~-".utf8)

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
