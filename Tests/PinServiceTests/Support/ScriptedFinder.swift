import Geo
import Synchronization

@testable import PinService

/// Finds what a test says that texts mean.
final class ScriptedFinder: TextFinder {
    private let answers: [String: FoundPoint]
    private let error: PeerError?
    /// The texts, and near what they were looked for.
    let asked = Mutex<[String: Coordinate?]>([:])

    init(_ answers: [String: FoundPoint] = [:], error: PeerError? = nil) {
        (self.answers, self.error) = (answers, error)
    }

    func find(_ text: String, near: Coordinate?, account: String) async throws(PeerError) -> FoundPoint? {
        asked.withLock { $0[text] = .some(near) }
        if let error { throw error }
        return answers[text]
    }
}
