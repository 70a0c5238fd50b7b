import Refusals
import Testing

@testable import Accounts

@Suite("P30 an address of e-mail")
struct EmailAddressTests {
    @Test(
        "is one @ with something around it, also where an accent or the colour of a skin follows the @",
        arguments: ["ann@example.org", "ì@\u{1f3fb}x", "a@\u{301}b"])
    func allowed(text: String) throws { #expect(try EmailAddress(text).text == text) }

    @Test("is nothing else", arguments: ["", "ann", "@b", "a@", "a@b@c", "a@\u{301}@b", "a b@c", "a@b\u{0}"])
    func refused(text: String) { #expect(throws: Refusal.self) { try EmailAddress(text) } }
}
