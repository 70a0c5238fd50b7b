import EventLoops
import RPC
import Synchronization

/// A picture that is being fetched, shared by all its readers: they get its parts as they arrive, and read earlier ones
/// from the file that it is written to.
final class PictureDownload: Sendable {
    /// What a reader can read.
    enum Progress: Sendable {
        /// The file holds this many bytes; those that came last are here as well.
        case written(CachedPictureFile, count: Int, last: ArraySlice<UInt8>)
        /// The picture can't be written to a file: each reader has to fetch it for itself.
        case unwritable
    }

    /// How the download began.
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
        /// Parts that have no reader yet.
        var parts: PictureParts?
    }

    private let state = Mutex(State())
    private let bell = Bell()

    /// Reports the picture's facts, and its progress.
    func publish(_ beginning: Beginning, _ progress: Progress? = nil) {
        update { ($0.beginning, $0.progress) = (beginning, progress) }
    }

    /// The picture is not written to a file: the first reader takes these parts.
    func pass(_ parts: PictureParts) {
        update { ($0.beginning, $0.progress, $0.parts) = (.bytes(parts.facts), .unwritable, parts) }
    }

    /// The parts that were passed; nil when another reader has taken them.
    func takeParts() -> PictureParts? { state.withLock { $0.parts.take() } }

    /// What was reported so far stays valid; nothing follows.
    func fail(_ error: RPCError) { update { $0.error = error } }

    /// Whether all bytes are there: nothing is left to be cancelled.
    var isWhole: Bool {
        state.withLock { state in
            guard case .written(_, let count, _) = state.progress else { return false }
            return count == state.beginning?.facts.byteCount
        }
    }

    private func update(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        bell.ring()
    }

    /// Waits until the picture is known.
    func beginning() async throws -> Beginning {
        try await wait { $0.beginning }
    }

    /// Waits until there are more than `count` bytes, or it is known that they have to come from elsewhere.
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
