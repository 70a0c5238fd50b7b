import Daemon
import Stores

extension Discovery {
    private static let results: [(AskFailure.Kind?, String)] = [
        (nil, "ok"), (.timeout, "timeout"), (.quota, "quota"), (.auth, "auth"), (.malformed, "malformed"),
        (.unavailable, "unavailable"),
    ]

    /// What `/metrics` tells of live networks.
    var families: [MetricFamily] {
        guard !configured.isEmpty else { return store.database.families }
        let samples = configured.flatMap { network in
            Self.results.map { kind, name in
                MetricSample(["network": network.rawValue, "result": name], .count(sent(to: network, kind)))
            }
        }
        return [
            MetricFamily(
                "waymark_live_requests_total", .counter, "Requests to live networks that have ended.", samples),
            MetricFamily(
                "waymark_live_searches", .gauge, "Searches of live networks that are under way.",
                .count(UInt64(clamping: searchCount))),
        ] + store.database.families
    }
}
