import Daemon

/// What the checks of live searches came to so far.
struct VerifyTally: Equatable {
    /// Searches that were compared.
    var searches: UInt64 = 0
    /// Places that they had to give.
    var expected: UInt64 = 0
    /// Of these, how many were not given.
    var missing: UInt64 = 0
    /// Places given that should not have been.
    var unexpected: UInt64 = 0
    /// Places given that stand elsewhere in the list, or have another distance, than they should.
    var orderErrors: UInt64 = 0
    /// Searches that were chosen while another one was being compared, or that ended without a result.
    var skipped: UInt64 = 0

    /// Share of the places that were given; 1 before the first.
    var recall: Double { expected == 0 ? 1 : Double(expected - missing) / Double(expected) }

    /// Adds one comparison; tells whether it found a difference.
    mutating func add(expected: [BruteForce.Found], given: [BruteForce.Found]) -> Bool {
        let wanted = Set(expected.map(\.id))
        let ids = Set(given.map(\.id))
        searches += 1
        self.expected += UInt64(expected.count)
        missing += UInt64(wanted.subtracting(ids).count)
        unexpected += UInt64(ids.subtracting(wanted).count)
        // Compared among the places that both have, so that one that is missing is not counted for all behind it.
        let common = expected.filter { ids.contains($0.id) }
        orderErrors += UInt64(zip(common, given.filter { wanted.contains($0.id) }).count { $0 != $1 })
        return expected != given
    }

    var families: [MetricFamily] {
        func counter(_ name: String, _ help: String, _ count: UInt64) -> MetricFamily {
            MetricFamily("waymark_verify_\(name)_total", .counter, help, .count(count))
        }
        return [
            counter("searches", "Searches that were compared with brute force.", searches),
            counter("expected", "Places that these searches had to give.", expected),
            counter("missing", "Places that they did not give.", missing),
            counter("unexpected", "Places that they gave and should not have.", unexpected),
            counter("order_errors", "Places in the wrong position, or with a wrong distance.", orderErrors),
            counter("skipped", "Searches that were chosen and could not be compared.", skipped),
            MetricFamily(
                "waymark_verify_recall_ratio", .gauge, "Share of the places that were given.", .number(recall)),
        ]
    }
}
