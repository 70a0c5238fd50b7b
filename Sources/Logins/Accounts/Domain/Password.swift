import Texts

/// A password as it is hashed and compared, however it was typed: composed, and with blanks of any script as spaces
/// (OpaqueString of RFC 8265, section 4.2). Keyboards and systems differ in both.
package struct Password: Sendable {
    package let bytes: [UInt8]
    /// As it was typed, where that is something else: so passwords were hashed before.
    let typed: [UInt8]?

    package init(_ text: String) {
        var plain = ""
        for scalar in text.unicodeScalars {
            plain.unicodeScalars.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
        }
        bytes = Array(plain.composed.utf8)
        let typed = Array(text.utf8)
        self.typed = typed == bytes ? nil : typed
    }

    /// How many characters it has, as limits count them.
    package var count: Int { String(decoding: bytes, as: UTF8.self).unicodeScalars.count }
}

/// How a password compares with a hash.
package enum PasswordMatch: Sendable {
    case wrong, right
    /// It is right, and the hash has to be replaced by one of today's form.
    case outdated
}
