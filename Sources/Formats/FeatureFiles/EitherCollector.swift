/// Collects the places of a GPX or KML file, whichever it turns out to be.
final class EitherCollector: PlacemarkCollector {
    private var known: (any PlacemarkCollector)?

    var format: String { known?.format ?? "GPX or KML" }
    var root: String { known?.root ?? "gpx or kml" }
    var isRoot: Bool { known != nil }

    var beginnings: [String] { known?.beginnings ?? [] }

    func takePlaces() -> [Feature] { known?.takePlaces() ?? [] }

    func takeLines() -> [FeatureLine] { known?.takeLines() ?? [] }

    func takeLists() -> [FeatureList] { known?.takeLists() ?? [] }

    func cutOff() -> String { known?.cutOff() ?? "" }

    func context(of open: [String]) -> [String] { known?.context(of: open) ?? open }

    func begin(_ name: String, line: UInt64, _ attribute: (String) -> String?) {
        if known == nil { known = name == "gpx" ? GPXCollector() : name == "kml" ? KMLCollector() : nil }
        known?.begin(name, line: line, attribute)
    }

    func end(_ name: String, _ text: String) { known?.end(name, text) }
}
