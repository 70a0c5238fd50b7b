/// Why bytes are not the message they should be.
package struct WireError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The closed list of reasons.
    package enum Code: Equatable, Sendable {
        /// The bytes are not a packed message of the type.
        case malformed
        /// A string is not UTF-8. `field` is its full name: "waymark.rpc.v1.Call.method".
        case invalidUTF8(field: String)
        /// Unpacking would take more memory than is allowed.
        case overBudget
    }

    /// Which of the reasons it is.
    package let code: Code
    /// A sentence that says what was wrong and what is allowed.
    package let message: String

    /// The sentence.
    package var description: String { message }

    static func malformed(_ name: String, byteCount: Int) -> WireError {
        WireError(code: .malformed, message: "the \(byteCount) bytes are not a packed \(name)")
    }

    static func invalidUTF8(_ field: StaticString) -> WireError {
        WireError(
            code: .invalidUTF8(field: "\(field)"),
            message: "\(field) is not valid UTF-8; strings are UTF-8, other bytes belong in a bytes field")
    }

    static func overBudget(_ name: String, byteCount: Int) -> WireError {
        WireError(
            code: .overBudget,
            message: "unpacking the \(byteCount) bytes of a \(name) takes more memory than a message may use")
    }
}
