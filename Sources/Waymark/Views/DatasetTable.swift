import Contracts
import Terminal
import Wire

/// Datasets as lines for a person.
enum DatasetTable {
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
}
