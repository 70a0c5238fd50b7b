// The networks of a kind, each list in the order of the table; its forms are in the contract.
extension Network {
    /// Those that places come from, the catalog first.
    package static let ofPlaces = all.filter { $0.places != nil }
    /// Those of them that are other people's, and asked over the network.
    package static let livePlaces = ofPlaces.filter { $0.asked != nil }
    /// Those that photos come from and an operator may make available.
    package static let livePhotos = all.filter { $0.photos != nil && $0.asked != nil && $0.isChosen }
    /// Those that are asked for all photos of an area.
    package static let ofAreas = livePhotos.filter { $0.photos?.isOfAreas ?? false }
    /// Those that tiles of a map come from.
    package static let ofMaps = all.filter { $0.maps != nil }
    /// Those that searches of an account may be limited to.
    package static let chosen = all.filter(\.isChosen)
    /// Those that an account may give a key for.
    package static let ofKeys = all.filter(\.takesKeys)
    /// Those that need no key.
    package static let open = all.filter { $0.asked?.address != nil }
}

extension [Network] {
    /// Their names, in alphabetical order.
    package var names: [String] { map(\.name).sorted() }
}
