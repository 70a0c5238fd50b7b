import EventLoops
import Terminal

/// Latency over the time of a load, by when calls were due.
struct TimePlot {
    private let report: LoadReport

    init(_ report: LoadReport) { self.report = report }

    var svg: String {
        let seconds = report.tally.length / .seconds(1)
        let marks = (0...5).map { (across: Double($0) / 5, name: "\(Quantity.fixed(seconds * Double($0) / 5, 1)) s") }
        let curves = [("max", "third", 1), ("p90", "second", 0.9), ("p50", "first", 0.5)].map { name, colour, share in
            SVGPlot.Curve(name: name, colour: colour, points: points(share))
        }
        return SVGPlot(title: "Latency over time", marks: marks, curves: curves).svg
    }

    private func points(_ share: Double) -> [(across: Double, latency: UInt64)] {
        let slices = report.tally.slices
        let length = max(1e-9, report.tally.length / .seconds(1))
        return slices.histograms.enumerated().filter { $0.element.count > 0 }.map { index, histogram in
            let middle = (Double(index) + 0.5) * (slices.length / .seconds(1))
            return (middle / length, histogram.percentile(share))
        }
    }
}
