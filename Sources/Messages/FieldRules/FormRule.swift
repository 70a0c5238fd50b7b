package import Refusals

/// What one form says of a text: as a pattern for other programs, as a check, and in words. All three are here, so that
/// OpenAPI, services and clients can't differ.
package struct FormRule: Sendable {
    /// The regular expression (ECMA-262, for Unicode) that the whole text matches, without anchors.
    package let pattern: String
    /// The texts that there are, if these are counted.
    package let names: [String]
    /// Whether white space around the text does not count to its length.
    let trims: Bool
    /// Whether a text without anything visible counts as missing.
    let needsVisible: Bool
    /// What is needed, in words, when there is nothing; nil where nothing is a text like others.
    let needed: String?
    /// Whether a text is written so. By scalars or bytes, never by characters, and without a regular expression.
    package let takes: @Sendable (String) -> Bool
    /// What is wrong with one that is not.
    let problem: @Sendable (String) -> String

    init(
        _ pattern: String, names: [String] = [], trims: Bool = false, needsVisible: Bool = false,
        needed: String? = nil, problem: @escaping @Sendable (String) -> String,
        takes: @escaping @Sendable (String) -> Bool
    ) {
        self.pattern = pattern
        self.names = names
        self.trims = trims
        self.needsVisible = needsVisible
        self.needed = needed
        self.takes = takes
        self.problem = problem
    }

    /// `allowed` names what is valid, with its verb: "a UUID is".
    init(
        _ pattern: String, allowed: String, needed: String? = nil, takes: @escaping @Sendable (String) -> Bool
    ) {
        self.init(
            pattern, needed: needed, problem: { Refusal("", text: $0, allowed: allowed).problem }, takes: takes)
    }

    /// One of some names. `allowed` has "%" where these stand.
    init(names: [String], allowed: String = "% are") {
        let list = names.joined(separator: ", ")
        let words = allowed.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        let sentence = words.map { String(Substring($0)) }.joined(separator: list)
        self.init(
            "(?:\(names.joined(separator: "|")))", names: names,
            problem: { Refusal("", text: $0, allowed: sentence).problem },
            takes: { text in names.contains { $0.utf8.elementsEqual(text.utf8) } })
    }

    /// Why a text that it does not take is refused.
    package func refusal(_ field: String, _ text: String) -> Refusal { Refusal(field, problem(text)) }
}
