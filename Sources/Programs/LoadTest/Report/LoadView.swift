import EventLoops
import RPC
package import Terminal

/// A load's report for a person.
package struct LoadView {
    private let report: LoadReport

    package init(_ report: LoadReport) { self.report = report }

    private var plan: LoadPlan { report.plan }
    private var tally: LoadTally { report.tally }

    package func lines(on sink: TextSink) -> [String] {
        let head = [title, how].map { $0.text(on: sink) }
        guard tally.latency.count > 0 else {
            return head + kneeLines(sink) + ["", "No call was made in the time that counts."]
        }
        return head + kneeLines(sink) + [""] + figures.lines(on: sink) + [""] + latencies.lines(on: sink)
            + uncorrectedRemark(sink) + branchLines(sink) + [""] + LatencyPlot(tally.latency).lines(on: sink)
            + errorLines(sink) + [""]
            + remarks.map { $0.text(on: sink) }
    }

    private var title: StyledLine {
        StyledLine(report.method, .bold).adding(" at \(report.target): \(report.requests)")
    }

    private var how: StyledLine {
        let time = "\(Quantity.duration(tally.length)) after \(Quantity.duration(plan.warmUp)) of warm-up"
        let connections = Quantity.count(report.load.connections, "connection")
        let cut = report.isCutShort ? ", cut short" : ""
        guard let rate = plan.rate else {
            return StyledLine(
                "\(Quantity.count(plan.outstanding)) calls under way at once (closed loop), \(time)\(cut), \(connections)",
                .faint)
        }
        return StyledLine(
            "\(Quantity.rate(rate)), whatever becomes of calls before (open loop), \(time)\(cut), \(connections)",
            .faint)
    }

    private func kneeLines(_ sink: TextSink) -> [String] {
        report.knee.map { [""] + KneeView($0, goal: plan.goal).lines(on: sink) } ?? []
    }

    private var figures: Table {
        var table = Table(
            columns: [.init(title: "ASKED", isRight: true), .init(title: "ANSWERED", isRight: true, style: .bold)]
                + ["CALLS", "FAILED", "NOT SENT", "CUT OFF"].map { .init(title: $0, isRight: true) })
        let isShort = plan.rate.map { tally.rate < $0 * 0.99 } ?? false
        table.rows = [
            [
                .init(plan.rate.map(Quantity.rate) ?? ""), .init(Quantity.rate(tally.rate), isShort ? .yellow : nil),
                .init(Quantity.count(tally.latency.count)),
                .init(Quantity.count(tally.failed), tally.failed > 0 ? .red : nil),
                .init(tally.unsent == 0 ? "" : Quantity.count(tally.unsent), .red),
                .init(tally.cutOff == 0 ? "" : Quantity.count(tally.cutOff), .yellow),
            ]
        ]
        return table
    }

    private var latencies: Table {
        let title = plan.rate == nil ? "LATENCY" : "LATENCY SINCE DUE"
        var table = Table(
            columns: [.init(title: report.load.showsUncorrected ? "" : title)]
                + LoadReport.shares.map { .init(title: $0.name.uppercased(), isRight: true) })
        table.rows = [Self.row(report.load.showsUncorrected ? "since due" : "all calls", tally.latency, nil)]
        if report.load.showsUncorrected {
            table.rows.append(Self.row("since sent (uncorrected)", tally.uncorrected, .yellow))
        }
        return table
    }

    private static func row(_ name: String, _ histogram: LatencyHistogram, _ style: Style?) -> [Table.Cell] {
        [.init(name, style)]
            + LoadReport.shares.map { .init(Quantity.latency(histogram.percentile($0.share)), style) }
    }

    private func uncorrectedRemark(_ sink: TextSink) -> [String] {
        guard report.load.showsUncorrected else { return [] }
        return [
            StyledLine(
                "Uncorrected figures leave out how long calls waited before they were sent: no caller sees them.",
                .yellow
            ).text(on: sink)
        ]
    }

    /// How each branch of the answers went: a part that failed is red, its answer was given without it.
    private func branchLines(_ sink: TextSink) -> [String] {
        guard !tally.branches.isEmpty else { return [] }
        var table = Table(
            columns: [.init(title: "BRANCH"), .init(title: "ANSWERS", isRight: true)]
                + LoadReport.shares.map { .init(title: $0.name.uppercased(), isRight: true) }
                + [.init(title: "FAILED", minimum: 20, style: .red)])
        table.rows = tally.branches.map { branch in
            [.init(branch.name), .init(Quantity.count(branch.latency.count))]
                + LoadReport.shares.map { .init(Quantity.latency(branch.latency.percentile($0.share))) }
                + [.init(branch.failures.map { "\(Quantity.count($0.count)) \($0.code)" }.joined(separator: ", "))]
        }
        return [""] + table.lines(on: sink)
    }

    private func errorLines(_ sink: TextSink) -> [String] {
        guard !tally.failures.isEmpty else { return [] }
        var table = Table(columns: [
            .init(title: "ERROR", style: .red), .init(title: "CALLS", isRight: true),
            .init(title: "P50", isRight: true),
            .init(title: "MAX", isRight: true), .init(title: "FIRST MESSAGE", minimum: 20),
        ])
        table.rows = tally.failures.sorted { $0.value.latency.count > $1.value.latency.count }.map { code, failures in
            [
                .init(code.description), .init(Quantity.count(failures.latency.count)),
                .init(Quantity.latency(failures.latency.percentile(0.5))),
                .init(Quantity.latency(failures.latency.largest)), .init(failures.message),
            ]
        }
        return [""] + table.lines(on: sink)
    }

    private var remarks: [StyledLine] {
        [incomplete, things, check, client].compactMap { $0 } + doubts
    }

    private var incomplete: StyledLine? {
        guard tally.incomplete > 0 else { return nil }
        let share = Quantity.fixed(Double(tally.incomplete) / Double(max(1, tally.latency.count)) * 100, 2)
        return StyledLine("lacking ", .faint).adding(
            "\(Quantity.count(tally.incomplete, "answer")) without one branch or more, \(share) % of the calls", .red)
    }

    private var things: StyledLine? {
        let things = tally.things
        guard things.answers > 0 else { return nil }
        let mean = Quantity.fixed(Double(things.sum) / Double(things.answers), 1)
        return StyledLine("hits    ", .faint).adding(
            "\(mean) a query, \(things.least) to \(things.most) (counted in \(Quantity.count(things.answers, "answer")))"
        )
    }

    private var check: StyledLine? {
        guard let check = report.check else { return nil }
        let line = StyledLine("check   ", .faint)
        guard let first = check.wrong.first else {
            return line.adding("\(Quantity.count(check.checked, "answer")) equal \(check.against)", .green)
        }
        return line.adding(
            "\(Quantity.count(check.wrong.count)) of \(Quantity.count(check.checked, "answer")) differ from \(check.against): \(first)",
            .red)
    }

    private var client: StyledLine {
        let processor = tally.processor
        let seconds = max(1e-9, tally.length / .seconds(1))
        func share(_ time: Double) -> String { "\(Quantity.fixed(time / seconds * 100, 0)) %" }
        let line = StyledLine("client  ", .faint).adding(
            "\(share(processor.total)) of one core (user \(share(processor.user)), system \(share(processor.system)))")
        guard plan.rate != nil else { return line }
        return line.adding(", sends \(Quantity.latency(tally.lag.percentile(0.99))) late at p99")
    }

    private var doubts: [StyledLine] {
        report.doubts.isEmpty
            ? []
            : report.doubts.map { StyledLine($0.text, .red) } + [
                StyledLine("The figures above are not valid.", .red)
            ]
    }
}
