import Geo

/// A point that a user wants to explore, and what is known around it.
struct Pin: Equatable, Sendable {
    let id: PinID
    /// The account that owns it.
    let account: String
    var name: String
    /// Whether a user chose the name; such a name stays when the pin moves.
    var isNamed: Bool
    var position: Coordinate
    /// Radius of its search in metres.
    var radiusMetres: Double
    var state: PinState
    /// Raised by one with each creation, move or new search, from 1. It identifies late answers to an earlier search. 0
    /// for a pin of a file that was not opened yet.
    var generation: Int64
    /// Milliseconds since 1970-01-01T00:00:00Z.
    let createdMilliseconds: Int64
    /// Grows with each change of the pin, its places or its album.
    var version: Int64 = 0
    var counts = PlaceCounts()
    var album = PinAlbum()
    /// The state of the latest search of each network, by name.
    var searches: [NetworkSearch] = []
    /// Nil until a client has set it.
    var span: MapSpan?
    /// The only networks that its searches ask, of those that its account has enabled.
    var limit = NetworkChoice.all
    /// What its owner keeps with it; empty for nothing.
    var note = ""
    /// The day when its owner was there, after ISO 8601; empty when that is not noted.
    var visitedDay = ""
    /// The import that has made it, until its owner changes it; empty otherwise.
    var importedBy = ""
    /// Why the photo service does not look for its photos now; empty when it does.
    var photoTrouble = ""

    /// Whether it was never searched for: it came from a file and was not opened yet.
    var isUnsearched: Bool { generation == 0 }
}

/// The state of a pin's search. The numbers are stored in the database: one that was used never changes its meaning.
enum PinState: Int64, Sendable, CaseIterable {
    /// Created or moved, nothing found yet.
    case new = 1
    /// The first places have been found.
    case partial = 2
    /// Nothing is waited for any longer, and a network has answered.
    case ready = 3
    /// Every network failed, for now or for good.
    case failed = 4

    /// Whether something is waited for.
    var isUnsettled: Bool { self == .new || self == .partial }
}

/// Why a request for a pin fails.
enum PinError: Error, Equatable {
    /// The account has no such pin.
    case notFound(PinID)
    /// The account has to choose networks first.
    case needsNetworks
    /// The account has enabled none of those that the caller's key may have asked.
    case noneOfKey
    /// Settings can't be as they are wanted.
    case settings(SettingsError)
}

/// The counters of a pin's places.
struct PlaceCounts: Equatable, Sendable {
    /// Places that are linked.
    var places: Int64 = 0
    /// Of these, places that have photos.
    var placesWithPhotos: Int64 = 0
    /// Photos of these places in total.
    var photos: Int64 = 0
}

extension Pin {
    /// Whether the photos of this generation's places are known, or can't be looked for now.
    var arePhotosSettled: Bool { album.generation >= generation || !photoTrouble.isEmpty }

    /// Why photos may be missing; empty when all is well.
    var photoWarning: String { photoTrouble.isEmpty ? album.warning : photoTrouble }

    /// Whether this generation's search asks networks that may take minutes.
    var asksLiveNetworks: Bool {
        searches.contains { $0.generation == generation && PlaceNetwork.live($0.network) != nil }
    }

    /// The first generation of a pin.
    static let firstGeneration: Int64 = 1

    /// A new pin, created now, whose search of these networks begins.
    init(
        _ draft: PinDraft, id: PinID, account: String, networks: [PlaceNetwork], limit: NetworkChoice = .all,
        unixMilliseconds: Int64
    ) {
        self.init(
            id: id, account: account, name: draft.name ?? PointName(draft.position).text, isNamed: draft.name != nil,
            position: draft.position, radiusMetres: draft.radiusMetres, state: .new,
            generation: Self.firstGeneration, createdMilliseconds: unixMilliseconds,
            searches: networks.map { NetworkSearch(network: $0.name, generation: Self.firstGeneration) }, limit: limit)
    }

    /// The pin at its new place, NEW again; nil when there is nothing to search for again. A name that no user chose is
    /// replaced by the new position's.
    func moved(_ move: PinMove, networks: [PlaceNetwork]) -> Pin? {
        let radius = move.radiusMetres ?? radiusMetres
        guard move.isForced || move.position != position || radius != radiusMetres else { return nil }
        var pin = self
        if !isNamed, move.position != position { pin.name = PointName(move.position).text }
        pin.position = move.position
        pin.radiusMetres = radius
        pin.photoTrouble = ""
        pin.state = .new
        pin.generation += 1
        pin.searches = networks.map { NetworkSearch(network: $0.name, generation: pin.generation) }
        return pin
    }

    /// A pin of a file, whose search begins.
    func opened(networks: [PlaceNetwork]) -> Pin {
        var pin = self
        pin.generation = Self.firstGeneration
        pin.searches = networks.map { NetworkSearch(network: $0.name, generation: pin.generation) }
        return pin
    }

    /// The pin with a name that a user chose, or with its position's when that is nil.
    func renamed(_ name: String?) -> Pin {
        var pin = self
        pin.name = name ?? PointName(position).text
        pin.isNamed = name != nil
        pin.importedBy = ""
        return pin
    }
}

/// How answers change the state of a pin. Generations are compared so that a late answer to an earlier search changes
/// nothing.
struct PinProgress: Equatable, Sendable {
    let state: PinState
    /// The generation that the pin is in.
    let generation: Int64

    init(_ pin: Pin) {
        state = pin.state
        generation = pin.generation
    }

    init(state: PinState, generation: Int64) {
        self.state = state
        self.generation = generation
    }

    /// After a network has returned `places` places for the generation `asked`: the first of them make a NEW pin
    /// PARTIAL.
    func afterLinking(places: Int, asked: Int64) -> PinState {
        state == .new && places > 0 && asked == generation ? .partial : state
    }

    /// After a search has ended or failed, or the photos have become known or can't be looked for. READY stays until
    /// the pin moves: a network that answers later adds its places. FAILED stays until a network has answered.
    func after(_ searches: [NetworkSearch], arePhotosSettled: Bool) -> PinState {
        guard state != .ready, !waits(for: searches) else { return state }
        let current = ofThisGeneration(searches)
        let answered = current.filter(\.hasAnswered)
        if answered.isEmpty, current.contains(where: \.hasFailed) { return .failed }
        if arePhotosSettled { return .ready }
        guard state == .failed else { return state }
        return answered.contains { $0.placeCount > 0 } ? .partial : .new
    }

    /// Whether a network asked for this generation is still waited for. There may be none to ask.
    func waits(for searches: [NetworkSearch]) -> Bool {
        let current = ofThisGeneration(searches)
        return current.contains(where: \.isAwaited) || current.isEmpty != searches.isEmpty
    }

    private func ofThisGeneration(_ searches: [NetworkSearch]) -> [NetworkSearch] {
        searches.filter { $0.generation == generation }
    }
}

/// The name of a point without a better one: "60.1699, 24.9384", in degrees to 1e-5 (about a metre).
struct PointName {
    let text: String

    init(_ point: Coordinate) {
        text = "\(Self.degrees(point.latitudeE7)), \(Self.degrees(point.longitudeE7))"
    }

    private static func degrees(_ e7: Int32) -> String {
        let magnitude = (Int64(e7).magnitude + 50) / 100
        let (whole, rest) = magnitude.quotientAndRemainder(dividingBy: 100_000)
        let sign = e7 < 0 && magnitude > 0 ? "-" : ""
        return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(fraction(rest))"
    }

    /// Five digits without trailing zeros.
    private static func fraction(_ rest: UInt64) -> String {
        let digits = String(rest)
        let padded = String(repeating: "0", count: 5 - digits.count) + digits
        return String(
            padded.unicodeScalars.prefix(through: padded.unicodeScalars.lastIndex { $0 != "0" } ?? padded.startIndex))
    }
}
