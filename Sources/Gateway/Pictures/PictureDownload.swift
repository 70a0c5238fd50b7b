import EventLoops
import RPC
import Synchronization

/// A picture that is being fetched, for all who wait for it: they read the file that it is written to, as far as it is
/// written.
final class PictureDownload: Sendable {
    /// What a reader finds.
    enum Progress: Sendable {
        /// The file holds this many bytes.
        case written(PictureFile, count: Int)
        /// The picture can't be written to a file: each reader has to fetch it for itself.
        case unwritable
    }

    /// How it began.
    enum Beginning: Sendable {
        case bytes(PictureFacts)
        /// There is no need to fetch it: the file is there.
        case found(PictureFacts)

        var facts: PictureFacts {
            switch self {
            case .bytes(let facts), .found(let facts): facts
            }
        }
    }

    private struct State {
        var beginning: Beginning?
        var progress: Progress?
        var error: RPCError?
    }

    private let state = Mutex(State())
    private let bell = Bell()

    /// The picture is known.
    func begin(_ beginning: Beginning, _ progress: Progress? = nil) {
        tell { ($0.beginning, $0.progress) = (beginning, progress) }
    }

    func tell(_ progress: Progress) { tell { $0.progress = progress } }

    /// What was told so far stays valid, nothing comes behind it.
    func fail(_ error: RPCError) { tell { $0.error = error } }

    /// Whether all bytes are there: nothing is left to be cancelled.
    var isWhole: Bool {
        state.withLock { state in
            guard case .written(_, let count) = state.progress else { return false }
            return count == state.beginning?.facts.byteCount
        }
    }

    private func tell(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        bell.ring()
    }

    /// Waits until the picture is known.
    func beginning() async throws -> Beginning {
        try await wait { $0.beginning }
    }

    /// Waits until there are more than `count` bytes, or it is clear that they have to come from elsewhere.
    func progress(beyond count: Int) async throws -> Progress {
        try await wait { state in
            if case .written(_, let written) = state.progress, written <= count { return nil }
            return state.progress
        }
    }

    private func wait<Value>(_ look: (State) -> Value?) async throws -> Value {
        while true {
            let count = bell.count
            let (value, error) = state.withLock { (look($0), $0.error) }
            if let value { return value }
            if let error { throw error }
            await bell.wait(after: count)
            try Task.checkCancellation()
        }
    }
}
