/// A list that a feature is in, as its file says it.
package struct FeatureList: Hashable, Sendable {
    package var name: String
    /// A word such as "green"; empty when the file says none.
    package var colour: String

    package init(name: String, colour: String = "") {
        self.name = name
        self.colour = colour
    }
}
