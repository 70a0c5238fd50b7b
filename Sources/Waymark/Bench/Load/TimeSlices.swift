import EventLoops

/// Latency over time: the window in equal slices, each with a coarse histogram of the calls that were due in it.
struct TimeSlices: Sendable {
    private let start: MonotonicTime
    /// How long a slice is.
    let length: Duration
    private(set) var histograms: [LatencyHistogram] = []

    private static let most = 120
    private static let shortest: Duration = .milliseconds(50)

    init() {
        start = MonotonicTime(nanoseconds: 0)
        length = Self.shortest
    }

    init(_ window: LoadWindow) {
        start = window.measured
        length = max(Self.shortest, window.length / Self.most)
    }

    mutating func add(_ nanoseconds: UInt64, due: MonotonicTime) {
        let index = Int(clamping: due.nanoseconds(since: start) / max(1, length.clampedNanoseconds))
        guard index <= Self.most else { return }
        while histograms.count <= index { histograms.append(LatencyHistogram(bits: LatencyHistogram.coarse)) }
        histograms[index].record(nanoseconds)
    }
}
