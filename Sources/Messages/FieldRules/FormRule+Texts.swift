import Refusals

// Texts for people, and other texts of many letters.
extension FormRule {
    static let line = FormRule(
        #"[\#(Classes.space)]*[^\#(Classes.control)\u2028\u2029]*[\#(Classes.space)]*"#, trims: true,
        problem: { _ in notLine }, takes: { FieldText.isLine(FieldText.trimmed($0)) })

    static let lines = FormRule(
        #"[\#(Classes.space)]*[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*[\#(Classes.space)]*"#,
        trims: true,
        problem: { _ in Refusal("", "a control character", allowed: "lines of text are").problem },
        takes: { FieldText.isLines(FieldText.trimmed($0)) })

    static let name = FormRule(
        Classes.line("*"), needsVisible: true, problem: { _ in notLine },
        takes: { FieldText.isVisible($0) && FieldText.isLine(FieldText.trimmed($0)) })

    static let visible = FormRule(
        #"[\s\S]*[^\#(Classes.space)][\s\S]*"#, needsVisible: true, problem: { _ in notLine },
        takes: { !FieldText.trimmed($0).isEmpty })

    static let words = FormRule(
        #"[\s\S]*[\p{L}\p{N}][\s\S]*"#,
        problem: { "\($0.quoted) contains no letter and no digit; one at least is needed" },
        takes: { $0.unicodeScalars.contains(where: isLetterOrDigit) })

    static let tag = line(maximum: 64, needsVisible: false)

    static let placeCategory = line(maximum: 255, needsVisible: true)

    static let category = FormRule(
        #"(?:[\s\S]{0,254}[^/]|[\s\S]{1,255}/)"#,
        problem: {
            Refusal("", FieldText.count(withoutSlash($0)), "characters", allowed: "1 to 255 are").problem
        },
        takes: { (1...255).contains(FieldText.count(withoutSlash($0))) })

    static let contact = FormRule(
        "[ -~]*[!-~][ -~]*", allowed: "an e-mail address or a URL of at most 200 characters of ASCII is",
        takes: { text in
            text.utf8.allSatisfy { (0x20...0x7e).contains($0) } && text.utf8.contains(where: ASCII.isVisible)
        })

    private static let notLine =
        Refusal("", "a control character or a line's end", allowed: "one line of text is").problem

    /// One line of so many characters, beside the white space around it.
    private static func line(maximum: Int, needsVisible: Bool) -> FormRule {
        FormRule(
            Classes.line("{0,\(maximum - 2)}"), needsVisible: needsVisible,
            needed: needsVisible ? "1 to \(maximum) characters are" : nil,
            problem: { text in
                let trimmed = FieldText.trimmed(text)
                if trimmed.isEmpty { return Refusal("", text: text, allowed: "a word is").problem }
                let count = FieldText.count(trimmed)
                if count <= maximum { return notLine }
                return Refusal("", count, "characters", allowed: "at most \(maximum) are").problem
            },
            takes: { text in
                let trimmed = FieldText.trimmed(text)
                return (1...maximum).contains(FieldText.count(trimmed)) && FieldText.isLine(trimmed)
            })
    }

    /// "amenity/" is meant as "amenity".
    private static func withoutSlash(_ text: String) -> Substring {
        text.utf8.last == UInt8(ascii: "/") ? Substring(text.unicodeScalars.dropLast()) : text[...]
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}
