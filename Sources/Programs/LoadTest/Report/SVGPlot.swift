import EventLoops
import Glibc

/// Curves over a vertical axis of latencies on a logarithmic scale, as SVG.
struct SVGPlot {
    struct Curve {
        let name: String
        /// One of "first", "second" and "third".
        let colour: String
        var isDashed = false
        /// From left to right; `across` is 0...1, `latency` nanoseconds.
        let points: [(across: Double, latency: UInt64)]
    }

    let title: String
    /// Marks of the horizontal axis, 0...1.
    let marks: [(across: Double, name: String)]
    let curves: [Curve]

    private static let (width, height) = (800.0, 320.0)
    private static let (left, right, top, bottom) = (64.0, 32.0, 24.0, 28.0)

    var svg: String {
        let curves = curves.filter { !$0.points.isEmpty }
        let latencies = curves.flatMap { $0.points.map { max(1, $0.latency) } }
        guard let least = latencies.min(), let most = latencies.max() else { return "<p>Nothing was measured.</p>" }
        let scale = Scale(least: least, most: most)
        let parts =
            scale.marks.map { horizontal($0, scale) } + marks.map(vertical) + curves.map { path($0, scale) }
            + curves.enumerated().map(legend)
        let size = "viewBox=\"0 0 \(Int(Self.width)) \(Int(Self.height))\""
        return
            "<svg \(size) role=\"img\" aria-label=\"\(LoadPage.escaped(title))\">\(parts.joined(separator: "\n"))</svg>"
    }

    /// Whole steps of 1, 2 and 5 times a power of ten around what is shown.
    private struct Scale {
        let marks: [UInt64]

        init(least: UInt64, most: UInt64) {
            let steps = (0...12).flatMap { exponent in
                [1, 2, 5].map { $0 * UInt64(pow(10, Double(exponent)).rounded()) }
            }
            let first = steps.last { $0 <= least } ?? 1
            let last = steps.first { $0 >= most && $0 > first } ?? steps.last ?? 1
            marks = steps.filter { $0 >= first && $0 <= last }
        }

        /// 0 at the first mark, 1 at the last.
        func up(_ latency: UInt64) -> Double {
            let (first, last) = (Double(marks.first ?? 1), Double(marks.last ?? 10))
            return log10(max(1, Double(latency)) / first) / max(1e-9, log10(last / first))
        }
    }

    private func x(_ across: Double) -> String {
        Self.number(Self.left + min(1, max(0, across)) * (Self.width - Self.left - Self.right))
    }

    private func y(_ up: Double) -> String {
        Self.number(Self.height - Self.bottom - min(1, max(0, up)) * (Self.height - Self.top - Self.bottom))
    }

    private static func number(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    private func horizontal(_ mark: UInt64, _ scale: Scale) -> String {
        let y = y(scale.up(mark))
        return "<line class=\"grid\" x1=\"\(x(0))\" x2=\"\(x(1))\" y1=\"\(y)\" y2=\"\(y)\"/>"
            + "<text x=\"\(Self.left - 8)\" y=\"\(y)\" dy=\"4\" text-anchor=\"end\">\(Self.label(mark))</text>"
    }

    /// "200 µs": marks are round.
    private static func label(_ mark: UInt64) -> String {
        let units: [(name: String, size: UInt64)] = [("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1000), ("ns", 1)]
        let unit = units.first { mark >= $0.size } ?? ("ns", 1)
        return "\(mark / unit.size) \(unit.name)"
    }

    private func vertical(_ mark: (across: Double, name: String)) -> String {
        let x = x(mark.across)
        return "<line class=\"grid\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(y(0))\" y2=\"\(y(1))\"/>"
            + "<text x=\"\(x)\" y=\"\(Self.height - 8)\" text-anchor=\"middle\">\(LoadPage.escaped(mark.name))</text>"
    }

    private func path(_ curve: Curve, _ scale: Scale) -> String {
        let points = curve.points.map { "\(x($0.across)),\(y(scale.up($0.latency)))" }.joined(separator: " ")
        let dashed = curve.isDashed ? " dashed" : ""
        return "<polyline class=\"curve \(curve.colour)\(dashed)\" points=\"\(points)\"/>"
    }

    private func legend(_ index: Int, _ curve: Curve) -> String {
        let x = Self.left + Double(index) * 240
        let dashed = curve.isDashed ? " dashed" : ""
        return "<line class=\"curve \(curve.colour)\(dashed)\" x1=\"\(x)\" x2=\"\(x + 24)\" y1=\"10\" y2=\"10\"/>"
            + "<text x=\"\(x + 30)\" y=\"14\">\(LoadPage.escaped(curve.name))</text>"
    }
}
