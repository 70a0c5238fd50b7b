import Storage

/// Which photos a search gives.
struct PhotoFilter: Equatable, Sendable {
    /// Of these networks; of all when empty.
    var networks: [String] = []
    /// Under one of these licences, in lower case; under any when empty.
    var licences: [String] = []
    /// Taken then or later, in milliseconds since 1970; also without a date when nil.
    var takenFrom: Int64?
    /// Taken before.
    var takenBefore: Int64?

    /// Stands between texts in one; none of them has a line end.
    static let separator = "\n"

    /// The parameters of the condition in `Transaction.forEachPhoto`.
    var parameters: [(any SQLParameter)?] {
        [self == PhotoFilter(), Self.separator, Self.list(networks), Self.list(licences), takenFrom, takenBefore]
    }

    /// Texts in one, each between line ends, as statements compare them; empty for none.
    static func list(_ texts: [String]) -> String { texts.isEmpty ? "" : texts.map(between).joined() }

    private static func between(_ text: String) -> String { separator + text + separator }
}
