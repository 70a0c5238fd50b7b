/// Descriptors that cannot be read.
package struct SchemaError: Error, Equatable, CustomStringConvertible {
    /// A sentence that says what is wrong.
    package let description: String

    /// With the sentence given.
    package init(_ description: String) { self.description = description }
}
