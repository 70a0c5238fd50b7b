extension String {
    /// a, a_b, a_b2: lower-case words that start with a letter.
    var isLowerSnake: Bool {
        first?.isLowercase == true && !contains("__") && last != "_"
            && allSatisfy { $0 == "_" || ($0.isASCIIAlphanumeric && !$0.isUppercase) }
    }
}

extension Character {
    var isASCIIAlphanumeric: Bool { isASCII && (isLetter || isNumber) }
}
