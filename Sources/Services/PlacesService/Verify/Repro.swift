import EventLoops
import Files
import FoundationEssentials
import Geo
import Networks

/// A search whose answer was wrong, so that it can be reproduced: one JSON file for each, in a folder that keeps the
/// first hundred.
struct Repro: Codable {
    static let maximumFiles = 100

    struct Found: Codable {
        let id: String
        let metres: Double
    }

    /// The paths of the snapshots that were searched; "memory" for recent findings of a live network.
    let snapshots: [String]
    /// "nearby" or "within".
    let search: String
    /// Degrees: latitude and longitude of the centre, or south, west, north and east of the box.
    let degrees: [Double]
    /// Nil: any distance, or a box.
    let radiusMetres: Double?
    let limit: Int
    let afterID: String?
    let networks: [String]
    let datasets: [String]
    let categories: [String]
    let excludedCategories: [String]
    let nameWords: [String]
    let expected: [Found]
    let given: [Found]

    init(_ question: Verifier.Question, _ view: CatalogView, expected: [BruteForce.Found], given: [BruteForce.Found]) {
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        func found(_ places: [BruteForce.Found]) -> [Found] {
            places.map { Found(id: text($0.id), metres: $0.metres) }
        }
        let criteria = question.criteria
        snapshots = view.set.snapshots.map(\.path)
        switch question {
        case .nearby(let nearby):
            search = "nearby"
            degrees = [nearby.centre.latitude, nearby.centre.longitude]
            radiusMetres = nearby.radiusMetres.isFinite ? nearby.radiusMetres : nil
            limit = nearby.limit
        case .within(let within):
            search = "within"
            degrees = within.box.degrees
            radiusMetres = nil
            limit = within.limit
        }
        afterID = question.after.map { text($0.id) }
        networks = criteria.networks.map(\.name)
        datasets = criteria.datasets.map(\.description)
        categories = criteria.categories.map(text)
        excludedCategories = criteria.excludedCategories.map(text)
        nameWords = criteria.name.words.map(text)
        self.expected = found(expected)
        self.given = found(given)
    }

    /// Writes the file to the folder; returns its path, nil when there are enough already. Blocks.
    func write(to folder: String, atUnixMilliseconds time: Int64) throws -> String? {
        try DiskFile.makeFolder(folder)
        let names = try DiskFile.names(in: folder)
        guard names.count < Self.maximumFiles else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let path = "\(folder)/\(time)-\(names.count).json"
        try DiskFile.replace(path, with: Array(encoder.encode(self)))
        return path
    }
}

extension Geo.Box {
    fileprivate var degrees: [Double] { [southE7, westE7, northE7, eastE7].map { Double($0) / 1e7 } }
}
