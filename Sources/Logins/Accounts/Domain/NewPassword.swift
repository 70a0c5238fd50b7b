import AccountContracts
import Refusals

/// A password that someone chooses. Any characters are allowed; length is what makes one hard to guess.
enum NewPassword {
    static func checked(
        _ text: String, field: String = "password", email: EmailAddress? = nil
    ) throws(Refusal) -> Password {
        let password = Password(text)
        let (count, range) = (password.count, SignUpRequest.passwordLength)
        // As passwords are compared, one may have fewer characters than as it was typed.
        guard range.contains(count) else {
            throw Refusal(
                field, count, "characters", allowed: "\(range.lowerBound) to \(range.upperBound) are")
        }
        guard text.lowercased() != email?.key else {
            throw Refusal(field, "the e-mail address is not allowed; anything harder to guess is")
        }
        return password
    }
}
