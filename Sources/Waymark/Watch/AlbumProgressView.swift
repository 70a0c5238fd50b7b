import Contracts
import Terminal

/// An album that fills up, as lines for a person.
struct AlbumProgressView {
    let progress: AlbumProgress

    /// The lines of a view that is redrawn.
    func lines(on sink: TextSink) -> [String] {
        guard !progress.isGone else { return [Style.yellow.paint(line, on: sink)] }
        let album = AlbumView(album: progress.album, photos: [], sink: sink).headLines
        guard !progress.latest.isEmpty else { return album }
        let photos = PhotoTable.lines(progress.latest, on: sink.indented(2)).dropFirst()
        return album + [""] + photos.map { "  \($0)" }
    }

    /// All in one line, for a log.
    var line: String {
        let album = progress.album
        guard !progress.isGone else { return "\(album.subject): the album is gone".printable }
        let summary = album.summary ?? AlbumSummary()
        let words = summary.photoCount > 0 ? ": \(AlbumBar.words(summary))" : ""
        let warning = album.warning.isEmpty ? "" : "; \(album.warning)"
        return "\(album.subject) \(Look(summary.state).word)\(words)\(warning)".printable
    }
}
