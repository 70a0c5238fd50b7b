/// Latency by percentile, with an axis that gives each nine the same room.
struct PercentilePlot {
    private let report: LoadReport

    init(_ report: LoadReport) { self.report = report }

    /// How many nines are shown: as many as there are calls for.
    private var nines: Double { max(1, min(6, logarithm(Double(max(10, report.tally.latency.count))))) }

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
            return (across, histogram.percentile(1 - powerOfTen(-across * nines)))
        }
    }
}
