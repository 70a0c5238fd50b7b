import EventLoops
import Glibc
import Terminal

/// Latency by percentile, with an axis that gives each nine the same room.
struct PercentilePlot {
    private let report: LoadReport

    init(_ report: LoadReport) { self.report = report }

    /// How many nines are shown: as many as there are calls for.
    private var nines: Double { max(1, min(6, log10(Double(max(10, report.tally.latency.count))))) }

    var svg: String {
        let names = ["0", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %", "99.9999 %"]
        let marks = (0...Int(nines)).map { (across: Double($0) / nines, name: names[$0]) }
        let corrected = report.plan.rate != nil
        var curves = [
            SVGPlot.Curve(
                name: corrected ? "since the call was due" : "since the call was sent", colour: "first",
                points: points(report.tally.latency))
        ]
        if report.load.showsUncorrected {
            curves.append(
                SVGPlot.Curve(
                    name: "since it was sent (uncorrected)", colour: "second", isDashed: true,
                    points: points(report.tally.uncorrected)))
        }
        return SVGPlot(title: "Latency by percentile", marks: marks, curves: curves).svg
    }

    private func points(_ histogram: LatencyHistogram) -> [(across: Double, latency: UInt64)] {
        guard histogram.count > 0 else { return [] }
        return (0...200).map { step in
            let across = Double(step) / 200
            return (across, histogram.percentile(1 - pow(10, -across * nines)))
        }
    }
}

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
