package import Arguments

/// A service's program, and all that can be set of it. The one place that says so: the service reads these, `waymark
/// up` and `waymark doctor` take their flags from them, and Operations.md its tables.
package struct ServiceSettings: Sendable {
    /// "places-service"
    package let program: String
    /// What flags, folders and reports call it: "places".
    package let name: String
    /// What it does, for its help.
    package let summary: String
    package let defaultPort: UInt16
    /// The options besides those of every service.
    package let own: [Option]

    /// In the order in which reports have them.
    package static let all = [gateway, places, pins, photos]

    /// Those of every service.
    package var common: [Option] { Option.common(defaultPort) }
    package var options: [Option] { own + common }
}
