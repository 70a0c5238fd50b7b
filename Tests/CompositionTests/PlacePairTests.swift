import Composition
import FoundationEssentials
import Geo
import Glibc
import Testing

/// The table that was named by hand, and which part of it is looked at.
enum PairsFile {
    static let path = variable("WAYMARK_PLACE_PAIRS")
    static let half = variable("WAYMARK_PLACE_PAIRS_HALF") ?? "tune"
    static let placesPath = variable("WAYMARK_PLACES")

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// Measures the rules on pairs of real places that a person has labelled. They are no part of the project: how they
/// were chosen, and what was measured, is in Docs/Decisions/0058-one-list-of-places.md.
///
///     WAYMARK_PLACE_PAIRS=pairs.tsv WAYMARK_PLACE_PAIRS_HALF=tune script/test --filter PlacePairTests
///
/// The file is a table with a header: half, same (yes, no, unsure), and for a and b each source_, name_, category_,
/// lat_ and lon_. WAYMARK_PLACES may name a table of all places of these sources: source, name, category, lat and lon.
/// Then each pair is looked up in what comes out for all of them.
@Suite("P16 Labelled pairs", .enabled(if: PairsFile.path != nil, "WAYMARK_PLACE_PAIRS names no file"))
struct PlacePairTests {
    @Test("of real places: precision at least 0.98, recall at least 0.9")
    func figures() throws {
        var groupsOf: [String: Set<Int>] = [:]
        if let path = PairsFile.placesPath {
            let table = try Table(path)
            let places = try table.rows.enumerated().map { try $1.place(id: "catalog/\($1["source"])/\($0)", "") }
            for (number, group) in MergedPlaces.groups(of: places).enumerated() {
                for index in group { groupsOf[key(places[index]), default: []].insert(number) }
            }
        }
        var (right, wrong, missed, pairs) = (0, 0, 0, 0)
        for row in try Table(#require(PairsFile.path)).rows {
            guard row["half"] == PairsFile.half, row["same"] != "unsure" else { continue }
            let places = try ["_a", "_b"].map { try row.place(id: "catalog/\($0)/1", $0) }
            let isSame =
                if groupsOf.isEmpty {
                    MergedPlaces.groups(of: places).count == 1
                } else {
                    try !#require(groupsOf[key(places[0])]).isDisjoint(with: #require(groupsOf[key(places[1])]))
                }
            pairs += 1
            if isSame != (row["same"] == "yes") {
                print(
                    isSame ? "wrong:" : "missed:", Int(places[0].position.metres(to: places[1].position)),
                    places.map { "\($0.name) (\($0.categories[0]))" }.joined(separator: " / "))
            }
            switch (isSame, row["same"] == "yes") {
            case (true, true): right += 1
            case (true, false): wrong += 1
            case (false, true): missed += 1
            case (false, false): break
            }
        }
        let (precision, recall) = (Double(right) / Double(right + wrong), Double(right) / Double(right + missed))
        print(
            "\(PairsFile.half): \(pairs) pairs, merged \(right) rightly, \(wrong) wrongly, missed \(missed);",
            terminator: " ")
        print("precision \(precision), recall \(recall)")
        #expect(precision >= 0.98 && recall >= 0.9)
    }
}

/// Where a place is among those of a table.
private func key(_ place: SeenPlace) -> String {
    "\(place.name)\t\(place.position.latitudeE7)\t\(place.position.longitudeE7)"
}

/// A table whose first line names its columns.
private struct Table {
    struct Row {
        let values: [String: String]

        subscript(_ column: String) -> String { values[column] ?? "" }

        func place(id: String, _ suffix: String) throws -> SeenPlace {
            let latitude = try #require(Double(self["lat" + suffix]))
            let longitude = try #require(Double(self["lon" + suffix]))
            return SeenPlace(
                id: id, name: self["name" + suffix], categories: [self["category" + suffix]],
                position: try Coordinate(latitude: latitude, longitude: longitude))
        }
    }

    let rows: [Row]

    init(_ path: String) throws {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        let names = try #require(lines.first)
        rows = lines.dropFirst().map {
            Row(values: Dictionary(zip(names, $0), uniquingKeysWith: { first, _ in first }))
        }
    }
}
