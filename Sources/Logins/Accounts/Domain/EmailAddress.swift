import AccountContracts
import FieldRules
package import Refusals

/// An address of e-mail that names an account.
package struct EmailAddress: Equatable, Sendable {
    /// As it was typed.
    package let text: String
    /// The same for addresses that differ in upper and lower case: providers of mail do not tell them apart.
    package let key: String

    package init(_ text: String) throws(Refusal) {
        try FieldRule.text(text, "email", .email, length: SignUpRequest.emailLength, as: .required)
        self.text = text
        key = text.lowercased()
    }
}
