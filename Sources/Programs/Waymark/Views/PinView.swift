import Bytes
import Contracts
import Terminal

/// A pin as lines for a person: what it is called and how far its search and its album are.
struct PinView {
    let pin: Pin
    let sink: TextSink

    var lines: [String] {
        ([title, subtitle] + kept + [StyledLine()] + counters + searches + warnings).map { $0.text(on: sink) }
    }

    private var title: StyledLine {
        let look = Look(pin.state)
        return StyledLine("● ", look.style).adding(pin.name, .bold).adding("  ").adding(look.word, look.style)
    }

    private var subtitle: StyledLine {
        let spot = "  \(PinTable.position(pin.position)), \(Quantity.distance(pin.radiusM)) around"
        return StyledLine(spot).adding("  \(pin.id)", .faint)
    }

    /// What its owner keeps with it.
    private var kept: [StyledLine] {
        let visited = pin.visitedDate.isEmpty ? [] : [StyledLine("  visited \(pin.visitedDate)")]
        let note = pin.note.split(atScalars: \.isLineEnd).map { StyledLine("  \(String($0).printable)") }
        return visited + note
    }

    private var counters: [StyledLine] {
        let withPhotos = pin.photoPlaceCount > 0 ? ", \(Quantity.count(pin.photoPlaceCount)) with photos" : ""
        let places = Self.labelled("places").adding(Quantity.count(pin.placeCount) + withPhotos)
        // The album below shows some photos around the pin, which is another number.
        let ofPlaces = pin.photoCount > 0 ? " of these places" : ""
        let photos = Self.labelled("photos").adding(Quantity.count(pin.photoCount) + ofPlaces)
        return [places, photos, Self.album(pin.album ?? AlbumSummary())]
    }

    /// The album's bar, or a word when there is nothing to draw.
    static func album(_ summary: AlbumSummary) -> StyledLine {
        var line = labelled("album")
        let look = Look(summary.state)
        guard summary.photoCount > 0 else {
            return look.word.isEmpty ? line.adding("not begun", .faint) : line.adding(look.word, look.style)
        }
        AlbumBar.append(summary, to: &line)
        return line.adding("  \(AlbumBar.words(summary))  ").adding(look.word, look.style)
    }

    private var searches: [StyledLine] {
        pin.searches.map { search in
            let look = Look(search.state)
            let places = Quantity.count(search.placeCount, "place")
            // A warning below says it better.
            let isCut = search.truncated && search.warning.isEmpty
            return Self.labelled(search.network).adding(look.word, look.style)
                .adding(isCut ? ", nearest \(places) shown" : ", \(places)")
        }
    }

    private var warnings: [StyledLine] {
        Self.warnings(of: pin).map { StyledLine("  ! \($0)", .yellow) }
    }

    /// What is missing, and why.
    static func warnings(of pin: Pin) -> [String] {
        let ofPlaces = pin.searches.filter { !$0.warning.isEmpty }.map { "\($0.network): \($0.warning)" }
        return pin.photoWarning.isEmpty ? ofPlaces : ofPlaces + ["photos: \(pin.photoWarning)"]
    }

    static let labelWidth = 8

    /// "  places    " in front of a value.
    static func labelled(_ label: String) -> StyledLine {
        let space = String(repeating: " ", count: max(0, labelWidth - DisplayWidth.of(label)) + 2)
        return StyledLine("  \(label)\(space)", .faint)
    }
}
