/// How a client spreads its calls over the addresses of a name.
package struct BalancingRules: Sendable {
    /// How often the name is looked up, give or take a fifth.
    package var lookupInterval: Duration = .seconds(5)
    /// The least time between two lookups, whatever fails.
    package var shortestLookupInterval: Duration = .seconds(1)
    /// How many addresses of a name are used.
    package var mostAddresses = 128
    /// How long an address that is new or was readmitted takes to reach its full share of the calls.
    package var slowStart: Duration = .seconds(5)
    /// How many failures in a row eject an address.
    package var failuresToEject = 5
    /// How long the first ejection lasts; each further one lasts twice as long.
    package var firstEjection: Duration = .seconds(1)
    package var longestEjection: Duration = .seconds(30)

    package init() {}
}
