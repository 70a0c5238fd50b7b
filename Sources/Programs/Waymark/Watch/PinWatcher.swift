import Arguments
import Contracts
import EventLoops
import RPC
import Terminal

/// A pin that is watched while it fills up.
struct PinWatcher: Sendable {
    let options: ClientOptions
    /// Whether to continue when the pin is ready.
    let follows: Bool

    /// Shows the progress of the pin. Success when it is ready in the end.
    func run(_ link: TargetLink, _ session: Session, from start: WatchedPin) async throws -> ExitCode {
        let call = options.longCall
        var screen = WatchScreen(session)
        var progress = start
        if progress.hasBegun {
            let view = WatchedPinView(progress: progress)
            screen.draw(lines: view.lines, line: view.line)
        }
        try await Watch(follows: follows, deadline: call.deadline).run(&progress) { progress in
            PinServiceClient(link.client).watchPin(
                WatchPinRequest(id: progress.pin.id, fromVersion: progress.version), call)
        } show: { event, progress in
            let view = WatchedPinView(progress: progress)
            switch event {
            case .message(let message): try screen.show(message, lines: view.lines, line: view.line)
            case .broken: screen.broken(lines: view.lines)
            }
        }
        return progress.isReady ? .success : .failure
    }
}

extension Flag {
    /// What a watch takes.
    static let follow = Flag("follow", "continue watching when there is nothing more to wait for, until Ctrl-C")
}

/// The state of a pin as received by a watch.
struct WatchedPin: WatchProgress {
    private(set) var pin: Pin
    /// The places that came last, the latest at the end.
    private(set) var latest: [PinPlace] = []
    private(set) var isGone = false
    private(set) var hasBegun: Bool
    /// The version that has been received.
    private(set) var version: UInt64 = 0

    /// How many places are kept.
    static let maximumLatest = 5

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
        let new = Set(message.places.map(\.id))
        latest = Array((latest.filter { !new.contains($0.id) } + message.places).suffix(Self.maximumLatest))
    }

    /// The search and the album have both ended, successfully or not. A pin whose search failed may have no album at
    /// all.
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

/// A pin that fills up, as lines for a person.
struct WatchedPinView {
    let progress: WatchedPin

    /// The lines of a view that is redrawn.
    func lines(on sink: TextSink) -> [String] {
        guard !progress.isGone else { return [Style.yellow.paint(line, on: sink)] }
        let pin = PinView(pin: progress.pin, sink: sink).lines
        guard !progress.latest.isEmpty else { return pin }
        let places = PinPlaceTable.lines(progress.latest, on: sink.indented(2)).dropFirst()
        return pin + [""] + places.map { "  \($0)" }
    }

    /// All in one line, for a log.
    var line: String {
        let pin = progress.pin
        guard !progress.isGone else { return "\(pin.id): the pin was removed".printable }
        var parts = ["\(Look(pin.state).word): \(Quantity.count(pin.placeCount, "place"))"]
        parts.append("\(Quantity.count(pin.photoPlaceCount)) with photos")
        parts.append(Quantity.count(pin.photoCount, "photo"))
        if let album = pin.album, album.state != .unspecified {
            let words = album.photoCount > 0 ? ", \(AlbumBar.words(album))" : ""
            parts.append("album \(Look(album.state).word)\(words)")
        }
        parts += PinView.warnings(of: pin)
        return "\(pin.name): ".printable + parts.joined(separator: "; ").printable
    }
}
