/// Something in a .proto that is not generated: one sentence that names it and what is allowed.
struct GenerationError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
