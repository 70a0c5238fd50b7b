import RPC

/// How one branch of an answer went, as the answer reports it.
package struct BranchOutcome: Sendable, Equatable {
    let name: String
    let code: RPCCode
    let nanoseconds: UInt64
}

/// How one branch went in all answers.
struct BranchTally: Sendable {
    let name: String
    /// How long it took at the gateway; failed ones too.
    private(set) var latency = LatencyHistogram()
    private(set) var codes: [RPCCode: UInt64] = [:]

    init(name: String) { self.name = name }

    mutating func add(_ outcome: BranchOutcome) {
        latency.record(outcome.nanoseconds)
        codes[outcome.code, default: 0] += 1
    }

    /// Those that failed, the most frequent first.
    var failures: [(code: RPCCode, count: UInt64)] {
        codes.filter { $0.key != .ok }.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
            .map { ($0.key, $0.value) }
    }
}
