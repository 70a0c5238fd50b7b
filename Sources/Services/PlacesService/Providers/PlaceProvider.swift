import Arguments
import LiveNetworks
import Networks

/// How one live network is asked for places.
protocol PlaceProvider: NetworkProvider<FoundPlace> {
    var network: Network { get }
}

extension PlaceProvider {
    var name: String { network.name }
    var about: ProviderAbout {
        ProviderAbout(
            gives: "places", attribution: network.places?.attribution ?? "",
            maximumRadiusMetres: network.places?.maximumRadiusMetres)
    }
}

/// One answer.
typealias ProviderPage = AnswerPage<FoundPlace>

/// One that is made from settings, the first of the shapes that its network has.
protocol ConfigurableProvider: PlaceProvider {
    /// Nil when they lack what it needs.
    static func configured(_ options: Options) throws(OptionError) -> ConfiguredProvider?
}

/// A provider as its settings make it.
struct ConfiguredProvider: Sendable {
    let provider: any PlaceProvider
    /// Whether it is asked until an administrator says something else.
    var isOn = true
}

/// A live network that can be asked.
struct LiveNetwork: Sendable {
    let provider: any PlaceProvider
    let rules: NetworkRules
    /// Whether it is asked until an administrator says something else.
    var isOn = true

    var network: Network { provider.network }
}
