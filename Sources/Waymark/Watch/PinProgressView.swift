import Contracts
import Terminal

/// A pin that fills up, as lines for a person.
struct PinProgressView {
    let progress: PinProgress

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
        parts += pin.searches.filter { !$0.warning.isEmpty }.map { "\($0.network): \($0.warning)" }
        return "\(pin.name): ".printable + parts.joined(separator: "; ").printable
    }
}
