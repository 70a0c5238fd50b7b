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

/// The progress of an album's pictures as a bar: "█" is stored, "×" failed, "░" is still to come.
enum AlbumBar {
    static let width = 24

    /// Adds the bar to a line. The counters come from outside: whatever they say, it has `width` columns.
    static func append(_ summary: AlbumSummary, to line: inout StyledLine, width: Int = width) {
        let total = Int(summary.photoCount)
        let failed = cells(Int(summary.failedCount), of: total, width)
        let ready = min(width - failed, cells(Int(summary.readyCount), of: total, width))
        // Ended pictures fill the bar, however the cells are rounded.
        let isFull = total > 0 && Int(summary.readyCount) + Int(summary.failedCount) >= total
        let filled = isFull ? width - failed : ready
        line.append(String(repeating: "█", count: filled), .green)
        line.append(String(repeating: "×", count: failed), .red)
        line.append(String(repeating: "░", count: width - failed - filled), .faint)
    }

    /// A part of the width, rounded down; at least one cell when there is something.
    private static func cells(_ count: Int, of total: Int, _ width: Int) -> Int {
        guard count > 0, total > 0 else { return 0 }
        return max(1, min(count, total) * width / total)
    }

    /// "16 of 24 pictures, 1 failed"
    static func words(_ summary: AlbumSummary) -> String {
        let failed = summary.failedCount > 0 ? ", \(Quantity.count(summary.failedCount)) failed" : ""
        return "\(Quantity.count(summary.readyCount)) of \(Quantity.count(summary.photoCount, "picture"))\(failed)"
    }
}
