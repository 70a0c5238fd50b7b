import Bytes

/// What a camera and its lens are called: as their files say it, without what they say twice.
enum CameraName {
    private static let limit = TextLimit(characters: 100, allowsLines: false)
    /// What stands behind makers' names, in small letters.
    private static let companies: Set<String> = [
        "ag", "camera", "co", "co.", "co.,", "co.,ltd", "co.,ltd.", "company", "computer", "corp", "corp.",
        "corporation",
        "electric", "electronics", "gmbh", "imaging", "inc", "inc.", "ltd", "ltd.", "optical", "systems",
    ]

    /// "Canon EOS R5" for "Canon" and "Canon EOS R5", "NIKON D750" for "NIKON CORPORATION" and "NIKON D750", "FUJIFILM
    /// X-T4" for "FUJIFILM" and "X-T4".
    static func text(make: [UInt8], model: [UInt8]) -> String {
        let (makers, name) = (words(make), words(model))
        let companies = companies
        let maker = makers.prefix(1) + makers.dropFirst().prefix { !companies.contains(folded($0)) }
        guard let first = name.first.map(folded) else { return limit.fitted(maker.joined(separator: " ")) }
        // One of the maker's names begins it.
        let isNamed = makers.contains { first == folded($0) || first.begins(with: folded($0) + "-") }
        return limit.fitted((isNamed ? name : maker + name).joined(separator: " "))
    }

    /// Empty for what cameras write that know no lens: "----", "0.0 mm f/0.0".
    static func lens(_ bytes: [UInt8]) -> String {
        let text = words(bytes).joined(separator: " ")
        let isName = text.unicodeScalars.contains { $0.properties.isAlphabetic }
        return isName && !text.begins(with: "0.0 mm") && folded(text) != "unknown" ? limit.fitted(text) : ""
    }

    private static func words(_ bytes: [UInt8]) -> [String] {
        limit.fitted(bytes).split(atScalars: { $0.properties.isWhitespace }).map { String($0) }
    }

    private static func folded(_ text: String) -> String { text.asciiLowercased }
}
