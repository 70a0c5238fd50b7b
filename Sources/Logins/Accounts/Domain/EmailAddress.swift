import Contracts
package import Refusals

/// An address of e-mail that names an account.
package struct EmailAddress: Equatable, Sendable {
    /// As it was typed.
    package let text: String
    /// The same for addresses that differ in upper and lower case: providers of mail do not tell them apart.
    package let key: String

    /// One "@" with something before and behind it, without white space: more can't be known without writing to it.
    package init(_ text: String) throws(Refusal) {
        // Not characters: an accent behind the "@" is another one with it.
        let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        let most = SignUpRequest.emailLength.upperBound
        guard text.unicodeScalars.count <= most else {
            throw Refusal("email", text.unicodeScalars.count, "characters", allowed: "at most \(most) are")
        }
        if text.isEmpty { throw Refusal(missing: "email", needed: "an address such as ann@example.org is") }
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), text.unicodeScalars.allSatisfy(Self.isVisible) else {
            throw Refusal("email", text: text, allowed: "an address such as ann@example.org is")
        }
        self.text = text
        key = text.lowercased()
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
    }
}
