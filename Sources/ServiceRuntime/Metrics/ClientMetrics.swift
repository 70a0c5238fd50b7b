import EventLoops
import RPC

/// What a client counts of each address that it calls, as metrics.
enum ClientMetrics {
    /// `target` is what the client calls: the name that has these addresses.
    static func families(_ target: String, _ addresses: [AddressStatistics]) -> [MetricFamily] {
        func family(
            _ name: String, _ kind: MetricFamily.Kind, _ help: String,
            _ value: (AddressStatistics) -> MetricSample.Value?
        ) -> MetricFamily {
            let samples = addresses.compactMap { address in
                value(address).map { MetricSample(["target": target, "address": "\(address.address)"], $0) }
            }
            return MetricFamily("waymark_rpc_client_\(name)", kind, help, samples)
        }
        return [
            family("calls_total", .counter, "Calls and streams sent to an address.") { .count($0.calls) },
            family("failures_total", .counter, "Calls that ended as if the address could do no more, or nothing.") {
                .count($0.failures)
            },
            family("retries_total", .counter, "Calls sent to an address after a failure.") { .count($0.retries) },
            family("ejections_total", .counter, "How often an address was left out because it failed.") {
                .count($0.ejections)
            },
            family("ejected_loops", .gauge, "How many event loops leave an address out now.") {
                .count(UInt64(clamping: $0.ejected))
            },
            family("calls_in_flight", .gauge, "Calls and streams open at an address.") {
                .count(UInt64(clamping: $0.outstanding + $0.streams))
            },
            family("connections", .gauge, "Connections to an address.") { .count(UInt64(clamping: $0.connections)) },
            family("latency_seconds", .gauge, "How long an address takes to answer, averaged over a second.") {
                $0.latencyNanoseconds.map { .number($0 / 1e9) }
            },
        ]
    }
}
