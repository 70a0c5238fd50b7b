import EventLoops
import Markup
import Terminal

/// A load's report as one page that needs nothing else: plots in SVG, light and dark by the reader's setting.
package struct LoadPage {
    private let report: LoadReport

    package init(_ report: LoadReport) { self.report = report }

    package var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        \(PagePolicy(style: Self.style, .text).head)
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(Self.escaped(report.method))</title>
        </head>
        <body>
        <main>
        <h1>\(Self.escaped(report.method))</h1>
        <p>\(Self.escaped(report.target)): \(Self.escaped(report.requests))</p>
        \(warnings)
        \(tiles)
        <h2>How long calls took</h2>
        <p>The right end is the longest of all calls. \(basis)</p>
        \(PercentilePlot(report).svg)
        <h2>When they took how long</h2>
        \(TimePlot(report).svg)
        <details><summary>The report as text</summary><pre>\(text)</pre></details>
        </main>
        </body>
        </html>

        """
    }

    /// For text and attribute values, on one line.
    static func escaped(_ text: String) -> String { Markup.escaped(text.printable) }

    private var basis: String {
        report.plan.rate == nil
            ? "Measured from when a call was sent: in a closed loop a slow target gets fewer requests."
            : "Measured from when a call was due, so that waiting before it could be sent counts."
    }

    private var text: String {
        let sink = TextSink(isTerminal: false, hasColours: false, width: nil) { _ in }
        return LoadView(report).lines(on: sink).map(Self.escaped).joined(separator: "\n")
    }

    private var warnings: String {
        let wrong = report.check.flatMap { check in
            check.wrong.first.map { ["An answer differs from \(check.against): \($0)"] }
        }
        let doubts = report.doubts.map(\.text)
        let lines = (wrong ?? []) + doubts + (doubts.isEmpty ? [] : ["These figures are not valid."])
        return lines.map { "<p class=\"warning\">\(Self.escaped($0))</p>" }.joined(separator: "\n")
    }

    private var tiles: String {
        let latency = report.tally.latency
        var tiles = [(Quantity.rate(report.tally.rate), report.plan.rate.map { "of \(Quantity.rate($0)) asked" } ?? "")]
        if let rate = report.knee?.rate { tiles.insert((Quantity.rate(rate), "knee"), at: 0) }
        tiles += [("p50", 0.5), ("p99", 0.99), ("max", 1)].map { (Quantity.latency(latency.percentile($0.1)), $0.0) }
        tiles.append((Quantity.count(report.tally.failed), "of \(Quantity.count(latency.count, "call")) failed"))
        let items = tiles.map { "<li><b>\(Self.escaped($0.0))</b> \(Self.escaped($0.1))</li>" }
        return "<ul class=\"tiles\">\(items.joined())</ul>"
    }

    private static let style = """
        :root { color-scheme: light dark; --paper: #fbfaf7; --ink: #1d2327; --faint: #6b747b; --line: #d9d6cf;
          --first: #0b7a75; --second: #b4541f; --third: #8a3ffc; --bad: #b3261e; }
        @media (prefers-color-scheme: dark) { :root { --paper: #15191c; --ink: #e8e6e1; --faint: #98a2a9;
          --line: #333b41; --first: #4fd1c5; --second: #f2a65a; --third: #c5a3ff; --bad: #ff8a80; } }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
        main { max-width: 52rem; margin: 0 auto; padding: 2rem 1rem; }
        h1 { font-size: 1.3rem; overflow-wrap: anywhere; } h2 { font-size: 1.05rem; margin-top: 2rem; }
        p { color: var(--faint); } .warning { color: var(--bad); font-weight: 600; }
        .tiles { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; padding: 0; list-style: none; color: var(--faint); }
        .tiles b { display: block; font-size: 1.4rem; color: var(--ink); font-variant-numeric: tabular-nums; }
        svg { width: 100%; height: auto; font: 11px system-ui, sans-serif; } svg text { fill: var(--faint); }
        .grid { stroke: var(--line); stroke-width: 1; } .curve { fill: none; stroke-width: 2; }
        .first { stroke: var(--first); } .second { stroke: var(--second); } .third { stroke: var(--third); }
        .dashed { stroke-dasharray: 5 4; } pre { overflow-x: auto; font-size: 12px; }
        """
}
