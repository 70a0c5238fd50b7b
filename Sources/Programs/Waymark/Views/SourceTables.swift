import Contracts
import Terminal
import Wire

/// Where places come from, as lines for a person: datasets, and what came of asking live networks.
enum SourceTables {
    static func lines(_ datasets: [Dataset], on sink: TextSink) -> [String] {
        guard !datasets.isEmpty else { return ["There is no dataset; waymark import FILE --dataset NAME adds one."] }
        var table = Table(columns: [
            .init(title: "NAME", style: .bold), .init(title: "PLACES", isRight: true),
            .init(title: "SIZE", isRight: true),
            .init(title: "ORIGIN"), .init(title: "TITLE", minimum: 10), .init(title: "LICENCE", minimum: 6),
            .init(title: "ATTRIBUTION", minimum: 10),
        ])
        table.rows = datasets.map { dataset in
            [
                .init(dataset.name), .init(Quantity.count(dataset.placeCount)),
                .init(Quantity.bytes(dataset.byteCount)),
                .init(dataset.bundled ? "bundled" : "imported"), .init(dataset.title), .init(dataset.licence),
                .init(dataset.attribution),
            ]
        }
        return table.lines(on: sink)
    }

    static func lines(_ results: [NetworkResult], on sink: TextSink) -> [String] {
        guard !results.isEmpty else { return ["No live network is switched on; waymark networks shows how."] }
        var table = Table(columns: [
            .init(title: "NETWORK", style: .bold), .init(title: "RESULT"), .init(title: "PLACES", isRight: true),
            .init(title: "REQUESTS", isRight: true), .init(title: "TIME", isRight: true),
            .init(title: "REMARK", minimum: 10),
        ])
        table.rows = results.map { result in
            [
                .init(result.network), .init(word(result.status)), .init(Quantity.count(UInt64(result.placeCount))),
                .init(Quantity.count(UInt64(result.requestCount))),
                .init(result.elapsed?.duration.map(Quantity.duration) ?? ""), .init(remark(result)),
            ]
        }
        return table.lines(on: sink)
    }

    private static func remark(_ result: NetworkResult) -> String {
        guard let wait = result.retryAfterMs else { return result.message }
        return "\(result.message); again in \((wait + 999) / 1_000) s"
    }

    private static func word(_ status: DiscoverStatus) -> String {
        switch status {
        case .ok: "ok"
        case .empty: "empty"
        case .truncated: "truncated"
        case .timeout: "timeout"
        case .quota: "quota"
        case .auth: "auth"
        case .malformed: "malformed"
        case .unavailable: "unavailable"
        case .disabled: "disabled"
        default: "unknown"
        }
    }
}
