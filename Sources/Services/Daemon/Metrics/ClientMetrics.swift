import EventLoops
package import RPC
import Synchronization

/// All RPC clients of a process, for their counts per address.
package final class ClientMetrics: Sendable {
    private let clients = Mutex<[RPCClient]>([])

    package init() {}

    package func add(_ client: RPCClient) { clients.withLock { $0.append(client) } }

    /// The counts, summed over the clients of one target.
    package var families: [MetricFamily] {
        get async {
            var rows: [Row] = []
            for client in clients.withLock({ $0 }) {
                for address in await client.addresses() {
                    let target = "\(client.target)"
                    if let index = rows.firstIndex(where: {
                        $0.target == target && $0.counts.address == address.address
                    }) {
                        rows[index].counts.add(address)
                    } else {
                        rows.append(Row(target: target, counts: address))
                    }
                }
            }
            return Self.families(rows)
        }
    }

    private struct Row {
        /// The target: the name that has this address.
        let target: String
        var counts: AddressStatistics
    }

    private static func families(_ rows: [Row]) -> [MetricFamily] {
        func family(
            _ name: String, _ kind: MetricFamily.Kind, _ help: String,
            _ value: (AddressStatistics) -> MetricSample.Value?
        ) -> MetricFamily {
            let samples = rows.compactMap { row in
                value(row.counts).map { MetricSample(["target": row.target, "address": "\(row.counts.address)"], $0) }
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
