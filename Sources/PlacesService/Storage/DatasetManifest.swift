import EventLoops
import Files
import FoundationEssentials

/// The file dataset.json in a dataset's folder: which snapshot counts, and what is known of it.
struct DatasetManifest: Codable, Sendable {
    static let fileName = "dataset.json"
    private static let formatVersion = 1

    /// Of this file's format.
    let format: Int
    /// Number in the name of the snapshot file.
    let generation: Int
    let facts: DatasetFacts

    init(generation: Int, facts: DatasetFacts) {
        format = Self.formatVersion
        self.generation = generation
        self.facts = facts
    }

    init(path: String) throws(PlacesError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .damaged(what: "\(path): \(error)")
        }
        guard format == Self.formatVersion else {
            throw .damaged(what: "\(path) has format \(format); this build reads format \(Self.formatVersion)")
        }
    }

    func write(to path: String) throws(PlacesError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let text = try? encoder.encode(self) else {
            throw .storage(what: "writing \(path)", reason: "it can't be encoded")
        }
        try PlacesError.converting("the dataset's description") { () throws(SystemError) in
            try DiskFile.replace(path, with: Array(text))
        }
    }
}
