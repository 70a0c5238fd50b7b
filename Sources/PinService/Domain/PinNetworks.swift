import Synchronization

/// The networks that a pin's search asks now. Which live ones can be asked is the places service's to say.
final class PinNetworks: Sendable {
    private let own: [PlaceNetwork]
    /// Nil until the places service has told.
    private let live = Mutex<[PlaceNetwork]?>(nil)

    /// Those that are always asked.
    init(_ own: [PlaceNetwork]) { self.own = own }

    /// All that are asked for a new search.
    var current: [PlaceNetwork] { own + (live.withLock { $0 } ?? []) }

    /// All that are asked for a pin that moves; until the live ones are told, those of its latest search.
    func current(for pin: Pin) -> [PlaceNetwork] {
        own + (live.withLock { $0 } ?? pin.searches.compactMap { .live($0.network) })
    }

    /// What a search has to know of its network, also when it is not asked for new pins any more.
    func named(_ name: String) -> PlaceNetwork? { own.first { $0.name == name } ?? .live(name) }

    /// The live networks that can be asked; names that are not known are passed over.
    func setLive(_ names: [String]) { live.withLock { $0 = names.compactMap(PlaceNetwork.live) } }
}
