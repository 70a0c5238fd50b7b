import EventLoops
import RPC
import Synchronization

/// A picture that is being fetched, for all who wait for it: they get its parts as they come, and read what came before
/// from the file that it is written to.
final class PictureDownload: Sendable {
    /// What a reader finds.
    enum Progress: Sendable {
        /// The file holds this many bytes; those that came last are here as well.
        case written(CachedPictureFile, count: Int, last: ArraySlice<UInt8>)
        /// The picture can't be written to a file: each reader has to fetch it for itself.
        case unwritable
    }

    /// How it began.
    enum Beginning: Sendable {
        case bytes(CachedPictureFacts)
        /// There is no need to fetch it: the file is there.
        case found(CachedPictureFacts)

        var facts: CachedPictureFacts {
            switch self {
            case .bytes(let facts), .found(let facts): facts
            }
        }
    }

    private struct State {
        var beginning: Beginning?
        var progress: Progress?
        var error: RPCError?
        /// Parts that nobody reads yet.
        var parts: PictureParts?
    }

    private let state = Mutex(State())
    private let bell = Bell()

    /// The picture is known, and how far it is.
    func tell(_ beginning: Beginning, _ progress: Progress? = nil) {
        tell { ($0.beginning, $0.progress) = (beginning, progress) }
    }

    /// The picture is not written to a file: these parts are for the first who takes them.
    func pass(_ parts: PictureParts) {
        tell { ($0.beginning, $0.progress, $0.parts) = (.bytes(parts.facts), .unwritable, parts) }
    }

    /// The parts that were passed; nil when somebody has them already.
    func takeParts() -> PictureParts? { state.withLock { $0.parts.take() } }

    /// What was told so far stays valid, nothing comes behind it.
    func fail(_ error: RPCError) { tell { $0.error = error } }

    /// Whether all bytes are there: nothing is left to be cancelled.
    var isWhole: Bool {
        state.withLock { state in
            guard case .written(_, let count, _) = state.progress else { return false }
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
            if case .written(_, let written, _) = state.progress, written <= count { return nil }
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
