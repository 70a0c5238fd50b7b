import Arguments
import Daemon
import LiveNetworks

/// The settings of servers of Immich.
struct ImmichConfig: Sendable {
    let servers: [ImmichServer]
    let rules: NetworkRules

    /// Months of a library that one search may ask for: of more than a lifetime.
    private static let months = 1_000

    init(_ options: Options) throws(OptionError) {
        servers = try ImmichServer.list(options["--immich-servers"] ?? "", "--immich-servers")
        var rules = try NetworkOptions.rules("immich", options)
        rules.perSearch = Self.months
        rules.burst = 10
        self.rules = rules
    }
}
