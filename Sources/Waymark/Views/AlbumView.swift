import Contracts
import Terminal

/// An album as lines for a person.
struct AlbumView {
    let album: Album
    let photos: [Photo]
    let sink: TextSink
    /// Whether the photos are those that were removed.
    var showsRemoved = false

    var lines: [String] {
        let rows = photos.isEmpty ? [] : [""] + PhotoTable.lines(photos, on: sink)
        return headLines + (showsRemoved && photos.isEmpty ? ["", "No photo was removed."] : rows)
    }

    /// Without the photos.
    var headLines: [String] { ([title, bar] + remarks + warnings).map { $0.text(on: sink) } }

    private var summary: AlbumSummary { album.summary ?? AlbumSummary() }

    private var title: StyledLine {
        let look = Look(summary.state)
        return StyledLine(album.subject, .bold).adding("  ").adding(look.word, look.style)
    }

    private var bar: StyledLine {
        guard summary.photoCount > 0 else { return StyledLine("  no photos", .faint) }
        var line = StyledLine("  ")
        AlbumBar.append(summary, to: &line)
        return line.adding("  \(AlbumBar.words(summary))")
    }

    private var remarks: [StyledLine] {
        var remarks: [String] = []
        if summary.state == .listed { remarks.append("waymark album open fetches the pictures") }
        if album.repeatedCount > 0 {
            remarks.append("\(Quantity.count(album.repeatedCount)) of them in an earlier collection as well")
        }
        if album.removedCount > 0, !showsRemoved {
            remarks.append("\(Quantity.count(album.removedCount)) removed; waymark album restore brings them back")
        }
        return remarks.map { StyledLine("  \($0)", .faint) }
    }

    private var warnings: [StyledLine] { album.warning.isEmpty ? [] : [StyledLine("  ! \(album.warning)", .yellow)] }
}
