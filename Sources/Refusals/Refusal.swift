/// Why a field of a request is refused: its path as in the .proto, what was given, and what is allowed there.
///
/// CONTRIBUTING.md has the rule under "The wording of a refusal"; whoever refuses a field makes one of these, so that
/// one mistake reads the same at every door.
package struct Refusal: Error, Equatable, CustomStringConvertible {
    /// "centre.latitude", "networks[1]"
    package let field: String
    /// "91.0 is not allowed; -90 to 90 degrees are"
    package let problem: String

    /// A problem that none of the sentences below can say.
    package init(_ field: String, _ problem: String) {
        self.field = field
        self.problem = problem
    }

    /// A value. `allowed` says what could stand there, with its verb: "-90 to 90 degrees are", "a UUID is".
    package init(_ field: String, _ given: some CustomStringConvertible, allowed: String) {
        self.init(field, "\(given) is not allowed; \(allowed)")
    }

    /// A text, of which the beginning is quoted.
    package init(_ field: String, text: String, allowed: String) {
        self.init(field, text.quoted, allowed: allowed)
    }

    /// A number of things: "201 characters".
    package init(_ field: String, _ count: Int, _ things: String, allowed: String) {
        self.init(field, "\(count) \(things) are not allowed; \(allowed)")
    }

    /// Something that is missing. `needed` says what it is, with its verb: "a latitude and a longitude are".
    package init(missing field: String, needed: String) {
        self.init(field, "it is missing; \(needed) needed")
    }

    package var description: String { "\(field): \(problem)" }
}

extension String {
    /// Characters of a strange text that are repeated to whoever sent it.
    private static let quotedScalars = 60

    /// The text for a sentence: its beginning, in quotes.
    package var quoted: String {
        let beginning = String(unicodeScalars.prefix(Self.quotedScalars))
        return beginning.utf8.count == utf8.count ? "\"\(self)\"" : "\"\(beginning)…\""
    }
}
