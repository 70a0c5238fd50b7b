/// Arguments that make no sense: a sentence that names the argument and what is allowed.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
