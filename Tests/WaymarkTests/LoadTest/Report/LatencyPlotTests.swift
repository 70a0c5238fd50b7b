import Testing

@testable import LoadTest
@testable import Terminal
@testable import Waymark

@Suite("P40 The plot of latencies in a terminal")
struct LatencyPlotTests {
    @Test("has a row for each span of times, and every call in one of them")
    func rows() {
        var histogram = LatencyHistogram()
        for time in 1...1000 as ClosedRange<UInt64> { histogram.record(time * time * 1000) }
        let plot = LatencyPlot(histogram)
        #expect(plot.rows.count == LatencyPlot.rowCount)
        #expect(plot.rows.reduce(0) { $0 + $1.count } == 1000)
        #expect(plot.rows.last?.limit == 1_000_000_000)
        let lines = plot.lines(on: .paper())
        #expect(lines.last == "    1.00 s ████████████████████████████████████████  43.8 %")
    }

    @Test("one time has one row, and none has none")
    func few() {
        var histogram = LatencyHistogram()
        #expect(LatencyPlot(histogram).lines(on: .paper()).isEmpty)
        for _ in 0..<3 { histogram.record(5_000_000) }
        #expect(LatencyPlot(histogram).rows == [.init(limit: 5_000_000, count: 3)])
    }

    @Test(
        "times have three digits",
        arguments: [(0, "0 ns"), (999, "999 ns"), (1000, "1.00 µs"), (214_499, "214 µs"), (999_600, "1.00 ms")]
            + [(12_340_000, "12.3 ms"), (1_404_000_000, "1.40 s")] as [(UInt64, String)])
    func latency(nanoseconds: UInt64, text: String) { #expect(Quantity.latency(nanoseconds) == text) }
}
