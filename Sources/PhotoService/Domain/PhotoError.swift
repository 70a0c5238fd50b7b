/// Why a photo's record is not taken.
enum PhotoError: Error, Equatable {
    /// A field holds what is not allowed; the sentence names the value and what is allowed.
    case invalid(field: String, String)
}
