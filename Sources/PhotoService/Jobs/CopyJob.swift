import Daemon
import Storage

/// Makes the thumbnail of one photo.
struct CopyJob: Sendable {
    /// How often a file that can't be read, or whose copy the process does not survive, is tried before it counts as
    /// failed.
    private static let tries = 5

    let store: PhotoStore
    let pictures: PictureStore

    var kind: JobKind { JobKind("copy", workers: 3, timeout: .seconds(60), body: run) }

    private enum Outcome: Sendable {
        case ready(StoredPicture, placeholder: String)
        case failed(PictureProblem)
        case unwanted
    }

    private func run(_ lease: JobLease) async throws {
        guard let id = PhotoID(lease.key) else { return try await store.drop(lease) }
        let outcome = try await outcome(id, lease)
        let time = store.clock.unixMilliseconds
        try await store.write { transaction throws(SQLError) in
            guard try transaction.complete(lease, at: time) else { return try transaction.undo() }
            switch outcome {
            case .ready(let picture, let placeholder):
                try transaction.setReady(id, picture, placeholder: placeholder)
            case .failed(let problem): try transaction.setFailed(id, reason: problem.description)
            case .unwanted: try transaction.setUnwanted(id)
            }
        }
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
            let made = try await pictures.make(.thumbnail, from: original)
            return .ready(made.picture, placeholder: made.placeholder)
        } catch let problem as PictureProblem {
            // Nothing is wrong with this picture.
            switch problem {
            case .noFolder, .busy: throw problem
            default: break
            }
            guard problem.isFinal || lease.tries + 1 >= Self.tries else { throw problem }
            return .failed(problem)
        }
    }
}
