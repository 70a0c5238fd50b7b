import Networks
import Synchronization

/// A source of a pin's places.
struct PlaceNetwork: Hashable, Sendable {
    /// The networks that a setting may name.
    static let names = Network.ofPlaces.map(\.name)

    /// The part before the slash in the ids of its places: "catalog".
    let name: String
    /// How many places a pin links at most in one search, the nearest ones.
    let maximumLinks: Int
    /// Whether the places service has to ask another server first.
    var isLive = false

    /// A network that is asked live; nil when it is not known.
    static func live(_ name: String) -> PlaceNetwork? {
        guard let places = Network.livePlaces.first(where: { $0.name == name })?.places else { return nil }
        return PlaceNetwork(name: name, maximumLinks: places.maximumLinks, isLive: true)
    }

    /// The catalog's datasets.
    static func catalog(maximumLinks: Int = Network.catalog.places?.maximumLinks ?? 0) -> PlaceNetwork {
        PlaceNetwork(name: Network.catalog.name, maximumLinks: maximumLinks)
    }
}

/// The networks that a pin's search asks now. The places service decides which live ones can be asked.
final class PinNetworks: Sendable {
    private let own: [PlaceNetwork]
    /// Nil until the places service has answered.
    private let live = Mutex<[PlaceNetwork]?>(nil)

    /// The networks that are always asked.
    init(_ own: [PlaceNetwork]) { self.own = own }

    /// All networks that a new search asks.
    var current: [PlaceNetwork] { own + (live.withLock { $0 } ?? []) }

    /// All networks that a new search asks by a choice; until the live ones are known, those that it names.
    func current(by choice: NetworkChoice) -> [PlaceNetwork] {
        let live = live.withLock { $0 } ?? choice.names.compactMap(PlaceNetwork.live)
        return (own + live).filter { choice.allows($0.name) }
    }

    /// All networks to ask for a pin that moves; until the live ones are known, those of its latest search.
    func current(for pin: Pin) -> [PlaceNetwork] {
        own + (live.withLock { $0 } ?? pin.searches.compactMap { .live($0.network) })
    }

    /// The network of a search, also when it is not asked for new pins any more.
    func named(_ name: String) -> PlaceNetwork? { own.first { $0.name == name } ?? .live(name) }

    /// Sets the live networks that can be asked; unknown names are ignored.
    func setLive(_ names: [String]) { live.withLock { $0 = names.compactMap(PlaceNetwork.live) } }
}
