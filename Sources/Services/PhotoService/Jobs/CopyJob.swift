import Daemon
import PictureCalls
import Storage

/// Makes the thumbnails of one photo; of one at a network the large picture too, while its bytes are here.
struct CopyJob: Sendable {
    static let name = "copy"
    /// How often a file that can't be read, or whose copy the process does not survive, is tried before it counts as
    /// failed.
    private static let tries = 5
    /// How often a network is asked for the bytes of a picture.
    private static let fetches = 3

    let store: PhotoStore
    let pictures: PictureStore
    /// How many bytes all large ones may have together.
    let largeBytes: Int

    var kind: JobKind { JobKind(Self.name, workers: 3, timeout: .seconds(60), body: run) }

    private enum Outcome: Sendable {
        case ready(MadeSizes)
        case failed(PictureProblem)
        case unwanted
    }

    private func run(_ lease: JobLease) async throws {
        guard let id = PhotoID(lease.key) else { return try await store.drop(lease) }
        let outcome = try await outcome(id, lease)
        let time = store.clock.unixMilliseconds
        let limit = Int64(largeBytes)
        let unused = try await store.write { transaction throws(SQLError) -> [BlobName] in
            guard try transaction.complete(lease, at: time) else {
                try transaction.undo()
                return []
            }
            switch outcome {
            case .ready(let made):
                try transaction.setReady(id, made)
                guard let large = made.pictures[.large] else { return [] }
                try transaction.putPicture(large, .large, of: id, at: time)
                return try transaction.evictLarge(limit: limit, but: id)
            case .failed(let problem): try transaction.setFailed(id, reason: problem.description)
            case .unwanted: try transaction.setUnwanted(id)
            }
            return []
        }
        try? await pictures.remove(unused)
    }

    /// Throws errors that another try may fix: a full disk, a missing folder.
    private func outcome(_ id: PhotoID, _ lease: JobLease) async throws -> Outcome {
        let original = try await store.read { transaction throws(SQLError) in
            try transaction.isWanted(id) ? try transaction.original(id) : nil
        }
        guard let original else { return .unwanted }
        guard lease.kills < Self.tries else {
            return .failed(.unreadable("the service has died \(lease.kills) times while it was read"))
        }
        do {
            if original.url.isEmpty { return .ready(try await pictures.make(PictureSize.thumbnails, from: original)) }
            let made = try await FetchReport(store: store, photo: id).during {
                try await pictures.make(PictureSize.thumbnails + [.large], from: original, $0)
            }
            return .ready(made)
        } catch let problem as PictureProblem {
            // Nothing is wrong with this picture.
            switch problem {
            case .noFolder, .busy: throw problem
            default: break
            }
            let most = original.url.isEmpty ? Self.tries : Self.fetches
            guard problem.isFinal || lease.tries + 1 >= most else { throw problem }
            return .failed(problem)
        }
    }
}
