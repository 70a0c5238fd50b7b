import Contracts

/// A pin as a watch has told it so far.
struct PinProgress: WatchProgress {
    private(set) var pin: Pin
    /// Places that were told last, the latest at the end.
    private(set) var latest: [PinPlace] = []
    private(set) var isGone = false
    private(set) var hasBegun: Bool
    /// Everything up to here has been told.
    private(set) var version: UInt64 = 0

    /// How many places are kept.
    static let latestLimit = 5

    /// Begins with a pin of which nothing is known.
    init(id: String) {
        pin = Pin(id: id)
        hasBegun = false
    }

    /// Begins with a pin that has just been stored.
    init(_ pin: Pin) {
        self.pin = pin
        hasBegun = true
    }

    mutating func apply(_ message: WatchPinResponse) {
        hasBegun = true
        version = message.version
        isGone = message.deleted
        if let pin = message.pin { self.pin = pin }
        let told = Set(message.places.map(\.id))
        latest = Array((latest.filter { !told.contains($0.id) } + message.places).suffix(Self.latestLimit))
    }

    /// The search and the album have both ended, well or not. A pin whose search failed may have no album at all.
    var isSettled: Bool {
        let album = pin.album?.state ?? .unspecified
        switch pin.state {
        case .ready: return album.isFinal
        case .failed: return album.isFinal || album == .unspecified
        default: return false
        }
    }

    /// Whether the pin is green.
    var isReady: Bool { !isGone && pin.state == .ready }
}

extension AlbumState {
    /// Whether no picture of it is on its way.
    var isFinal: Bool { [.complete, .empty, .completeWithErrors, .failed].contains(self) }
}
