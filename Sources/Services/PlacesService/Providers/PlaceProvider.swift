import LiveNetworks

/// How one live network is asked for places.
protocol PlaceProvider: NetworkProvider<FoundPlace> {
    var network: Network { get }
}

extension PlaceProvider {
    var name: String { network.rawValue }
}

/// One answer.
typealias ProviderPage = AnswerPage<FoundPlace>

extension ProviderAbout {
    /// What is known of a network of places.
    static func places(_ attribution: String, maximumRadiusMetres: Double? = nil) -> ProviderAbout {
        ProviderAbout(gives: "places", attribution: attribution, maximumRadiusMetres: maximumRadiusMetres)
    }
}

/// A live network that can be asked.
struct LiveNetwork: Sendable {
    /// Those that there are.
    static let names: [Network] = [.openstreetmap, .foursquare, .instagram]

    let provider: any PlaceProvider
    let rules: NetworkRules
    /// Whether it is asked until an administrator says something else.
    var isOn = true

    var network: Network { provider.network }
}
