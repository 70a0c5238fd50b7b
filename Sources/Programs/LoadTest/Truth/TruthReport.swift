package import Terminal

/// How all lines of a truth went.
package struct TruthReport: Sendable {
    /// How often each grade was given.
    struct Tally: Encodable, Equatable, Sendable {
        var exact = 0
        var tolerated = 0
        var missed = 0
    }

    private struct Miss: Encodable {
        let line: Int
        let reason: String
    }

    private struct Answer: Encodable {
        let truth: String
        let data: String
        let lines: Int
        let count: Tally
        let nearest: Tally
        let misses: [Miss]
        let elapsedMilliseconds: Double
    }

    let truth: String
    let data: String
    package private(set) var lines = 0
    private(set) var count = Tally()
    private(set) var nearest = Tally()
    private var misses: [Miss] = []

    init(truth: String, data: String) {
        self.truth = truth
        self.data = data
    }

    package var hasMisses: Bool { !misses.isEmpty }

    mutating func add(_ number: Int, _ verdict: TruthVerdict) {
        lines += 1
        add(number, verdict.count, to: \.count)
        add(number, verdict.nearest, to: \.nearest)
    }

    private mutating func add(_ number: Int, _ grade: TruthVerdict.Grade, to tally: WritableKeyPath<TruthReport, Tally>)
    {
        switch grade {
        case .exact: self[keyPath: tally].exact += 1
        case .tolerated: self[keyPath: tally].tolerated += 1
        case .missed(let reason):
            self[keyPath: tally].missed += 1
            misses.append(Miss(line: number, reason: reason))
        }
    }

    package func json(elapsed: Duration) throws -> String {
        try OneLineJSON.of(
            Answer(
                truth: truth, data: data, lines: lines, count: count, nearest: nearest, misses: misses,
                elapsedMilliseconds: elapsed / .milliseconds(1)))
    }

    package func lines(on sink: TextSink, elapsed: Duration) -> [String] {
        var table = Table(columns: [
            .init(title: "\(lines) LINES"), .init(title: "EXACT", isRight: true),
            .init(title: "WITHIN 0.6 %", isRight: true),
            .init(title: "MISSED", isRight: true),
        ])
        table.rows = [("count", count), ("ten nearest", nearest)].map { name, tally in
            [
                .init(name), .init(Quantity.count(tally.exact), tally.exact == lines ? .green : nil),
                .init(Quantity.count(tally.tolerated)),
                .init(Quantity.count(tally.missed), tally.missed > 0 ? .red : nil),
            ]
        }
        let shown = misses.map { "\(truth), line \($0.line): \($0.reason.printable)" }
        return shown + table.lines(on: sink) + [Style.faint.paint("asked in \(Quantity.duration(elapsed))", on: sink)]
    }
}
