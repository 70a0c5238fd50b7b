import Contracts
import Refusals

/// A password that someone chooses. Any characters are allowed; length is what makes one hard to guess.
enum NewPassword {
    static func checked(
        _ text: String, field: String = "password", email: EmailAddress? = nil
    ) throws(Refusal) -> Password {
        let password = Password(text)
        let (count, range) = (password.count, SignUpRequest.passwordLength)
        if text.isEmpty { throw Refusal(missing: field, needed: "\(range.lowerBound) or more characters are") }
        guard range.contains(count) else {
            throw Refusal(
                field, count, "characters", allowed: "\(range.lowerBound) to \(range.upperBound) are")
        }
        guard text.lowercased() != email?.key else {
            throw Refusal(field, "the e-mail address is not allowed; anything harder to guess is")
        }
        return password
    }

    /// A password that someone already has, to be compared.
    static func given(_ text: String, field: String = "password") throws(Refusal) -> Password {
        let most = LogInRequest.passwordLength.upperBound
        if text.isEmpty { throw Refusal(missing: field, needed: "the account's password is") }
        guard text.unicodeScalars.count <= most else {
            throw Refusal(field, text.unicodeScalars.count, "characters", allowed: "at most \(most) are")
        }
        return Password(text)
    }
}
