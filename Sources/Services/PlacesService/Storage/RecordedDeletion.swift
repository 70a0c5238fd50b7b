import EventLoops
import Files
import FoundationEssentials
import Stores

/// A deletion with a caller's name for it. It is recorded before it is carried out: after a crash in between the next
/// call completes it, and later calls get the same answer.
struct RecordedDeletion: Codable, Equatable, Sendable {
    let dataset: String
    /// Of the dataset that was meant; nil when it was damaged.
    let facts: DatasetFacts?
    let placeCount: Int
    /// Names the change, and its file.
    let key: String
    let fingerprint: [UInt8]
    /// Milliseconds since 1970.
    let time: Int64

    init(dataset: DatasetName, facts: DatasetFacts?, placeCount: Int, _ change: Change) {
        self.dataset = dataset.description
        self.facts = facts
        self.placeCount = placeCount
        key = change.key
        fingerprint = change.fingerprint
        time = change.time
    }
}

extension CatalogFolder {
    private var deletions: String { "\(root)/deletions" }

    /// The record of a change, unless it is too old to count.
    func deletion(_ change: Change) throws(PlacesError) -> RecordedDeletion? {
        let path = "\(deletions)/\(change.key)"
        do {
            guard try DiskFile.exists(path) else { return nil }
            let deletion = try JSONDecoder().decode(RecordedDeletion.self, from: Data(contentsOf: URL(filePath: path)))
            switch change.judge(deletion.fingerprint, at: deletion.time) {
            case .outlived: return nil
            case .same: return deletion
            case .another: throw PlacesError.usedRequestID
            }
        } catch let error as PlacesError {
            throw error
        } catch {
            throw .damaged(what: "\(path): \(error)")
        }
    }

    /// Records a deletion. It survives a power cut from here on.
    func record(_ deletion: RecordedDeletion) throws(PlacesError) {
        guard let text = try? JSONEncoder().encode(deletion) else {
            throw .storage(what: "recording a deletion", reason: "it can't be encoded")
        }
        let path = "\(deletions)/\(deletion.key)"
        try PlacesError.converting("recording a deletion") { () throws(SystemError) in
            try DiskFile.makeFolder(deletions)
            try DiskFile.replace(path, with: Array(text))
        }
    }

    /// Deletes the records from before `time` (milliseconds since 1970). What can't be deleted now is deleted later.
    func removeDeletions(before time: Int64) {
        for name in (try? DiskFile.names(in: deletions)) ?? [] {
            let path = "\(deletions)/\(name)"
            let text = try? Data(contentsOf: URL(filePath: path))
            let deletion = text.flatMap { try? JSONDecoder().decode(RecordedDeletion.self, from: $0) }
            if (deletion?.time ?? 0) < time { try? DiskFile.remove(path) }
        }
    }
}
