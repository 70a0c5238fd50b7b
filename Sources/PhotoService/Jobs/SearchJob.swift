import Daemon
import Storage

/// Finds the photos of a pin and of its places among those of the folder.
struct SearchJob: Sendable {
    let store: PhotoStore

    var kind: JobKind { JobKind("search", workers: 2, timeout: .seconds(60), body: run) }

    private func run(_ lease: JobLease) async throws {
        guard case .pin(let pin)? = AlbumSubject(lease.key) else { return try await store.drop(lease) }
        let found = try await store.read { transaction throws(SQLError) in try transaction.pinPhotos(pin) }
        let time = store.clock.unixMilliseconds
        try await store.write { transaction throws(SQLError) in
            guard try transaction.complete(lease, at: time) else { return try transaction.undo() }
            if let found { try transaction.list(found, for: pin, at: time) }
        }
    }
}

/// Finds other photos for an album and swaps them in.
struct CollectJob: Sendable {
    let store: PhotoStore

    var kind: JobKind { JobKind("collect", workers: 1, timeout: .seconds(60), body: run) }

    private func run(_ lease: JobLease) async throws {
        guard let subject = AlbumSubject(lease.key) else { return try await store.drop(lease) }
        let (found, changes) = try await store.read { transaction throws(SQLError) in
            (try transaction.candidates(for: subject), try transaction.placeChanges())
        }
        let time = store.clock.unixMilliseconds
        try await store.write { transaction throws(SQLError) in
            guard try transaction.complete(lease, at: time) else { return try transaction.undo() }
            // Which photos belong to a place may be different when there are other places by now.
            let isCurrent = try transaction.placeChanges() == changes
            let found = isCurrent ? found : try transaction.candidates(for: subject)
            if let found { try transaction.collect(found, for: subject, at: time) }
        }
    }
}
