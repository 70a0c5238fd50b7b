import Bytes
import Contracts
import Terminal
import Wire

/// All that is known of a photo, as lines for a person.
struct PhotoView {
    let photo: Photo
    /// Whether the reader likes it at its network; nil when that is not known.
    var liked: Bool?
    let sink: TextSink

    var lines: [String] { ([title] + facts).map { $0.text(on: sink) } }

    private var title: StyledLine {
        let look = Look(photo.state)
        let star = photo.favourite ? "★ " : ""
        return StyledLine(star, .yellow).adding(photo.shownName, .bold)
            .adding("  ").adding(look.word, look.style)
    }

    /// What the clocks showed there, and how far they were ahead, if that is known.
    private var taken: String {
        guard let time = photo.takenTime, let milliseconds = time.unixMilliseconds else { return "" }
        guard let minutes = photo.takenOffsetMinutes else { return time.text }
        let local = TimestampMessage(unixMilliseconds: milliseconds + Int64(minutes) * 60_000)
        let (hours, rest) = minutes.magnitude.quotientAndRemainder(dividingBy: 60)
        func two(_ number: UInt32) -> String { (number < 10 ? "0" : "") + "\(number)" }
        return "\(local.text) \(minutes < 0 ? "-" : "+")\(two(hours)):\(two(rest))"
    }

    private var facts: [StyledLine] {
        let size = photo.width > 0 && photo.height > 0 ? "\(photo.width)×\(photo.height)" : ""
        let values = [
            ("by", photo.author), ("licence", photo.licence), ("tags", photo.tags.joined(separator: ", ")),
            ("taken", taken), ("at", PinTable.position(photo.position)), ("size", size),
            ("camera", photo.camera), ("lens", photo.lens),
            ("file", photo.id.after("folder/").map { String($0) } ?? ""),
            ("also as", photo.copyPaths.joined(separator: ", ")),
            ("source", photo.sourceUrl), ("liked", liked.map { $0 ? "yes" : "no" } ?? ""),
            ("failure", photo.failure), ("id", photo.id),
        ]
        return values.filter { !$0.1.isEmpty }.map { PinView.labelled($0.0).adding($0.1) }
    }
}

extension Photo {
    /// Its title, else what its file is called in the folder of pictures.
    var shownName: String {
        guard title.isEmpty else { return title }
        return id.after("folder/")?.split(at: "/").last.map(String.init) ?? "untitled"
    }
}
