internal import Wire

/// Why JSON is not a valid message, or a message can't be written as JSON.
package struct WireJSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The closed list of reasons.
    package enum Code: Equatable, Sendable {
        /// No message type has this name.
        case unknownMessage
        /// The bytes are not JSON.
        case notJSON
        /// The message type has no such field. The path is the field's: "centre.altitude".
        case unknownField(path: String)
        /// A field has a value that it cannot have, or is given twice.
        case invalidValue(path: String)
        /// The packed bytes are not a message of the type.
        case malformed
        /// The message takes more memory than is allowed.
        case overBudget
    }

    /// Which of the reasons it is.
    package let code: Code
    /// A sentence that names the field, the value given and what is allowed.
    package let message: String

    /// The sentence.
    package var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: WireError) {
        switch error.code {
        case .malformed: self.init(.malformed, error.message)
        case .invalidUTF8(let field): self.init(.invalidValue(path: field), error.message)
        case .overBudget: self.init(.overBudget, error.message)
        }
    }
}
