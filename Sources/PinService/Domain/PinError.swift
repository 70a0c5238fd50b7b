/// Why a pin can't be had or made.
enum PinError: Error, Equatable {
    /// A field holds what is not allowed; the sentence names the value and what is allowed.
    case invalid(field: String, String)
    /// The account has no such pin.
    case notFound(PinID)
}
