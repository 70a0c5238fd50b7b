import Contracts
import Terminal

/// What a dataset has, as lines for a person.
struct DatasetView {
    let dataset: Dataset
    let sink: TextSink

    var lines: [String] {
        var lines = [StyledLine(dataset.name, .bold).adding("  \(dataset.title)"), StyledLine()]
        let origin = dataset.bundled ? "bundled" : "imported"
        lines.append(Self.labelled("places").adding("\(Quantity.count(dataset.placeCount)), \(origin)"))
        lines.append(
            Self.labelled("addresses").adding(dataset.addressCount.map { Quantity.count($0) } ?? "not counted"))
        lines.append(Self.labelled("index").adding(Quantity.bytes(dataset.byteCount)))
        lines.append(Self.labelled("map").adding(map))
        if let source = dataset.source { lines.append(Self.labelled("data").adding(Self.text(source))) }
        for (label, text) in [("licence", dataset.licence), ("by", dataset.attribution)] where !text.isEmpty {
            lines.append(Self.labelled(label).adding(text))
        }
        return lines.map { $0.text(on: sink) }
    }

    private var map: String {
        guard let tiles = dataset.tiles else { return "none; the import of an .osm.pbf makes one" }
        let zooms = "zoom levels \(tiles.minimumZoom) to \(tiles.maximumZoom)"
        return "\(Quantity.count(tiles.tileCount, "tile")), \(zooms), \(Quantity.bytes(tiles.byteCount))"
    }

    /// "as of 2026-11-28 21:21:04, brought up to date every day".
    private static func text(_ source: DatasetSource) -> String {
        let time = source.dataTime.map { "as of \($0.text)" } ?? "of an unknown time"
        if source.followed { return "\(time), brought up to date every day from \(source.updatesUrl)" }
        return "\(time); waymark import --update brings it up to date"
    }

    private static func labelled(_ name: String) -> StyledLine {
        StyledLine("  " + name + String(repeating: " ", count: max(1, 11 - name.count)), .faint)
    }
}
