package import FeatureFiles

/// A place that a file names without its position.
package struct UnplacedRecord: Equatable, Sendable {
    package var name = ""
    package var address = ""
    package var note = ""
    /// A link that has no position in it.
    package var link = ""
    /// The day of a visit: "2026-05-04"; empty when the file says none.
    package var visitedDay = ""
    /// When it was made, in milliseconds since 1970; nil when the file says none.
    package var createdMilliseconds: Int64?
    /// The lists that it is in.
    package var lists: [FeatureList] = []

    package init() {}

    /// Whether something says what it is.
    var isNamed: Bool { !name.isEmpty || !address.isEmpty }
}
