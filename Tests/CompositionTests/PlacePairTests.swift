import Composition
import FoundationEssentials
import Geo
import Glibc
import Testing

/// The table that was named by hand, and which part of it is looked at.
enum PairsFile {
    static let path = variable("WAYMARK_PLACE_PAIRS")
    static let half = variable("WAYMARK_PLACE_PAIRS_HALF") ?? "tune"

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// Measures the rules on pairs of real places that a person has labelled. They are no part of the project: how they
/// were chosen, and what was measured, is in Docs/Decisions/0058-one-list-of-places.md.
///
///     WAYMARK_PLACE_PAIRS=pairs.tsv WAYMARK_PLACE_PAIRS_HALF=tune script/test --filter PlacePairTests
///
/// The file is a table with a header: half, same (yes, no, unsure), and for a and b each source_, name_, category_,
/// lat_ and lon_.
@Suite("P16 Labelled pairs", .enabled(if: PairsFile.path != nil, "WAYMARK_PLACE_PAIRS names no file"))
struct PlacePairTests {
    @Test("of real places: precision at least 0.98, recall at least 0.9")
    func figures() throws {
        let text = try String(contentsOfFile: #require(PairsFile.path), encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let names = try #require(lines.first).map(String.init)
        var (right, wrong, missed, pairs) = (0, 0, 0, 0)
        for line in lines.dropFirst() {
            let row = Dictionary(zip(names, line.map(String.init)), uniquingKeysWith: { first, _ in first })
            guard row["half"] == PairsFile.half, let label = row["same"], label != "unsure" else { continue }
            let places = try ["a", "b"].map { side in
                let position = try Coordinate(
                    latitude: #require(Double(row["lat_\(side)"] ?? "")),
                    longitude: #require(Double(row["lon_\(side)"] ?? "")))
                return SeenPlace(
                    id: "catalog/\(side)/1", name: row["name_\(side)"] ?? "",
                    categories: [row["category_\(side)"] ?? ""],
                    position: position)
            }
            let isSame = MergedPlaces.groups(of: places).count == 1
            pairs += 1
            switch (isSame, label == "yes") {
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
