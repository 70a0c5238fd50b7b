import Glibc
import Terminal

/// A histogram as lines of text: a row for each span of latencies, as long as its share of all.
struct LatencyPlot {
    /// Equal on a logarithmic scale, from the shortest to the longest.
    struct Row: Equatable {
        /// Nanoseconds; the row takes in what is at most this long and longer than the row before.
        let limit: UInt64
        let count: UInt64
    }

    let rows: [Row]
    private let total: UInt64

    static let rowCount = 12
    private static let barWidth = 40

    init(_ histogram: LatencyHistogram) {
        total = histogram.count
        let limits = Self.limits(histogram)
        var before: UInt64 = 0
        rows = zip(limits, histogram.counts(upTo: limits)).map { limit, count in
            defer { before = count }
            return Row(limit: limit, count: count - before)
        }
    }

    private static func limits(_ histogram: LatencyHistogram) -> [UInt64] {
        guard histogram.count > 0 else { return [] }
        let (first, last) = (Double(max(1, histogram.smallest)), Double(max(1, histogram.largest)))
        let decades = log10(last / first)
        guard decades > 0.01 else { return [histogram.largest] }
        let inner = (1..<rowCount).map { UInt64(first * pow(10, decades * Double($0) / Double(rowCount))) }
        return inner + [histogram.largest]
    }

    func lines(on sink: TextSink) -> [String] {
        let longest = max(1, rows.map(\.count).max() ?? 1)
        return rows.map { row in
            let label = Quantity.latency(row.limit)
            let share = Double(row.count) / Double(max(1, total)) * 100
            let bar = Self.bar(Double(row.count) / Double(longest))
            let count = row.count == 0 ? "" : "  \(Quantity.fixed(share, share < 9.95 ? 2 : 1)) %"
            return StyledLine("  \(String(repeating: " ", count: max(0, 8 - label.count)))\(label) ", .faint)
                .adding(bar, .green).adding(count, .faint).text(on: sink)
        }
    }

    /// As long as the fraction (0...1), to an eighth of a column; something for all that is not nothing.
    private static func bar(_ fraction: Double) -> String {
        guard fraction > 0 else { return "" }
        let eighths = max(1, Int((fraction * Double(barWidth) * 8).rounded()))
        let part = eighths % 8 == 0 ? "" : ["▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8 - 1]
        return String(repeating: "█", count: eighths / 8) + part
    }
}
