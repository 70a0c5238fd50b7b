import EventLoops
import TestSupport
import Testing

@testable import Daemon

@Suite("Metrics as text")
struct MetricTextTests {
    private func text(_ families: MetricFamily...) -> String {
        var text = MetricText()
        for family in families { text.append(family) }
        return text.text
    }

    private func counts(_ nanoseconds: UInt64...) -> DurationCounts {
        let row = CounterRow(count: CounterRow.durationCounters)
        for duration in nanoseconds { row.countDuration(duration) }
        return row.durations()
    }

    @Test("are the lines that the format wants")
    func lines() {
        let family = MetricFamily(
            "calls_total", .counter, "How many.",
            [MetricSample(["method": "a.B/C", "code": "OK"], .count(7)), MetricSample([:], .count(.max))])
        #expect(
            text(family) == """
                # HELP calls_total How many.
                # TYPE calls_total counter
                calls_total{method="a.B/C",code="OK"} 7
                calls_total 18446744073709551615

                """)
    }

    @Test("escape what would end a label or a line, and a strict reader gets it back")
    func escaping() throws {
        let odd = "a\"b\\c\nd{e}=\"f\",é\u{0}"
        let family = MetricFamily("m", .gauge, "one \\ two\nthree \"four\"", [MetricSample(["x": odd], .number(1))])
        #expect(text(family).hasPrefix("# HELP m one \\\\ two\\nthree \"four\"\n"))
        let read = try PrometheusText(text(family))
        #expect(read.value("m", ["x": odd]) == 1)
    }

    @Test(
        "write numbers as a reader knows them",
        arguments: [
            (0.0, "0.0"), (-1.5, "-1.5"), (1e-9, "1e-09"), (1e300, "1e+300"), (.infinity, "+Inf"),
            (-.infinity, "-Inf"), (.nan, "NaN"),
        ])
    func numbers(value: Double, expected: String) throws {
        let written = text(MetricFamily("m", .gauge, "h", .number(value)))
        #expect(written.hasSuffix("m \(expected)\n"))
        #expect(try PrometheusText(written).families[0].samples.count == 1)
    }

    @Test("a histogram has a bucket for each doubling, each with all that is shorter")
    func histogram() throws {
        let durations = counts(500, 1_500, 1_500, 3_000_000, .max)
        let sample = MetricSample(["loop": "0"], .durations(durations))
        let read = try PrometheusText(text(MetricFamily("d_seconds", .histogram, "h", [sample])))
        func bucket(_ bound: String) -> Double? { read.value("d_seconds_bucket", ["loop": "0", "le": bound]) }
        #expect(bucket("1.024e-06") == 1)
        #expect(bucket("2.048e-06") == 3)
        #expect(bucket("0.002097152") == 3)
        #expect(bucket("0.004194304") == 4)
        #expect(bucket("68.719476736") == 4)
        #expect(bucket("+Inf") == 5)
        #expect(read.value("d_seconds_count", ["loop": "0"]) == 5)
        #expect(read.families[0].samples.count == 27 + 1 + 2)
    }

    @Test("readers of one metric are put together under one heading")
    func merging() async throws {
        let registry = MetricRegistry()
        for name in ["pins", "photos"] {
            registry.add {
                [
                    MetricFamily("writes_total", .counter, "h", [MetricSample(["database": name], .count(1))]),
                    MetricFamily("\(name)_total", .counter, "h", .count(2)),
                ]
            }
        }
        let read = try PrometheusText(await registry.text())
        #expect(read.families.map(\.name) == ["writes_total", "pins_total", "photos_total"])
        #expect(read.value("writes_total", ["database": "photos"]) == 1)
    }

    @Test("a metric has a bounded number of samples, and none without a sample is told")
    func bounds() throws {
        let many = (0..<5_000).map { MetricSample(["n": "\($0)"], .count(1)) }
        let read = try PrometheusText(text(MetricFamily("m", .gauge, "h", many), MetricFamily("n", .gauge, "h", [])))
        #expect(read.families.map(\.samples.count) == [MetricText.maximumSamples])
    }

    @Test(
        "the strict reader of these tests sees what is wrong",
        arguments: [
            "m 1", "m 1\n", "# TYPE m counter\nm 1\n", "# HELP m h\nm 1\n", "# HELP m h\n# TYPE m counter\nn 1\n",
            "# HELP m h\n# TYPE m counter\nm 1\nm 1\n", "# HELP m h\n# TYPE m counter\nm -1\n",
            "# HELP m h\n# TYPE m counter\nm{a=\"b} 1\n", "# HELP m h\n# TYPE m counter\nm{a=\"\\b\"} 1\n",
            "# HELP m h\n# TYPE m counter\nm inf\n", "# HELP m h\n# TYPE m counter\n\nm 1\n",
            "# HELP m h\n# TYPE m histogram\nm_bucket{le=\"1\"} 1\nm_sum 1\nm_count 1\n",
            "# HELP m h\n# TYPE m histogram\nm_bucket{le=\"1\"} 2\nm_bucket{le=\"+Inf\"} 1\nm_sum 1\nm_count 1\n",
        ])
    func strictness(text: String) {
        #expect(throws: PrometheusText.Malformed.self) { try PrometheusText(text) }
    }
}
