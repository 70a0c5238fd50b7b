import Synchronization

/// The networks that a pin's search asks now. Which live ones can be asked is the places service's to say.
final class PinNetworks: Sendable {
    private let own: [PlaceNetwork]
    private let live = Mutex<[PlaceNetwork]>([])

    /// Those that are always asked.
    init(_ own: [PlaceNetwork]) { self.own = own }

    /// All that are asked for a new search.
    var current: [PlaceNetwork] { own + live.withLock { $0 } }

    /// What a search has to know of its network, also when it is not asked for new pins any more.
    func named(_ name: String) -> PlaceNetwork? { own.first { $0.name == name } ?? .live(name) }

    /// The live networks that can be asked; names that are not known are passed over.
    func setLive(_ names: [String]) { live.withLock { $0 = names.compactMap(PlaceNetwork.live) } }
}
