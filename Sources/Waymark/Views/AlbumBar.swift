import Contracts
import Terminal

/// How far an album's pictures are, as a bar: "█" is there, "×" can't be had, "░" is to come.
enum AlbumBar {
    static let width = 24

    /// Adds the bar to a line. The counters come from outside: whatever they say, it has `width` columns.
    static func append(_ summary: AlbumSummary, to line: inout StyledLine, width: Int = width) {
        let total = Int(summary.photoCount)
        let failed = cells(Int(summary.failedCount), of: total, width)
        let ready = min(width - failed, cells(Int(summary.readyCount), of: total, width))
        // What ended fills the bar, however the cells are rounded.
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
