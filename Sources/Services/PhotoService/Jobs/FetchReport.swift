import HTTPClient
import Storage

/// Lets watchers see how much of a picture has come, when its fetch takes long.
struct FetchReport: Sendable {
    /// The time to the first report, and between two: at most two a second, and none of a quick fetch.
    private static let pace = Duration.milliseconds(500)

    let store: PhotoStore
    let photo: PhotoID

    /// Runs a fetch that tells its progress.
    func during<Value: Sendable>(
        _ fetch: @escaping @Sendable (TransferProgress) async throws -> Value
    ) async throws -> Value {
        let progress = TransferProgress()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await fetch(progress) }
            group.addTask {
                try? await report(progress)
                return nil
            }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
    }

    private func report(_ progress: TransferProgress) async throws {
        var reported = 0
        while true {
            try await Task.sleep(for: Self.pace)
            let (received, total) = (progress.received, progress.total)
            guard received > reported else { continue }
            reported = received
            try await store.write { transaction throws(SQLError) in
                try transaction.setFetched(photo, received: received, of: total)
            }
        }
    }
}
