/// A live network that is configured.
struct LiveNetwork: Sendable {
    /// Those that there are.
    static let names: [Network] = [.openstreetmap, .foursquare, .instagram]

    let provider: any PlaceProvider
    let rules: NetworkRules

    var network: Network { provider.network }
}
