/// Why a field of a request is refused: its path as in the .proto, the value given, and what is allowed there.
///
/// CONTRIBUTING.md has the rule under "The wording of a refusal"; all code that refuses a field makes one of these, so
/// that the same mistake reads the same at every entrance.
package struct Refusal: Error, Equatable, CustomStringConvertible {
    /// "centre.latitude", "networks[1]"
    package let field: String
    /// "91.0 is not allowed; -90 to 90 degrees are"
    package let problem: String

    /// A problem for which none of the initializers below fits.
    package init(_ field: String, _ problem: String) {
        self.field = field
        self.problem = problem
    }

    /// A value. `allowed` names what is valid, with its verb: "-90 to 90 degrees are", "a UUID is".
    package init(_ field: String, _ given: some CustomStringConvertible, allowed: String) {
        self.init(field, "\(given) is not allowed; \(allowed)")
    }

    /// A text, whose beginning is quoted.
    package init(_ field: String, text: String, allowed: String) {
        self.init(field, text.quoted, allowed: allowed)
    }

    /// A number of things: "201 characters".
    package init(_ field: String, _ count: Int, _ things: String, allowed: String) {
        self.init(field, "\(count) \(things) are not allowed; \(allowed)")
    }

    /// A missing value. `needed` names what it is, with its verb: "a latitude and a longitude are".
    package init(missing field: String, needed: String) {
        self.init(field, "it is missing; \(needed) needed")
    }

    package var description: String { "\(field): \(problem)" }

    /// The refusal of a field that lies in another one: "latitude" within "centre" is "centre.latitude".
    package func within(_ outer: String) -> Refusal { Refusal("\(outer).\(field)", problem) }

    /// The refusal for those who wrote the field in JSON.
    package var inJSON: Refusal { Refusal(Self.jsonPath(field), problem) }

    /// A field's path as in the .proto, as JSON has it: "page_token" becomes "pageToken".
    package static func jsonPath(_ path: String) -> String {
        let words = path.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false).map {
            Substring($0)
        }
        return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }
}

extension String {
    /// The most characters of a received text that are repeated to its sender.
    private static let quotedScalars = 60

    /// The text for a message: its beginning, in quotes.
    package var quoted: String {
        let beginning = String(unicodeScalars.prefix(Self.quotedScalars))
        return beginning.utf8.count == utf8.count ? "\"\(self)\"" : "\"\(beginning)…\""
    }
}
