/// The result of a sweep.
package struct BlobSweep: Equatable, Sendable {
    /// Unused blobs, removed.
    package var removed = 0
    /// Blobs that were kept.
    package var kept = 0
    /// What was being stored when a program ended, removed.
    package var unfinished = 0
}

extension Blobs {
    /// Removes unused blobs older than `age`, and what was left half stored that long ago. Both times are milliseconds,
    /// `now` since 1970; a store with a clock of its own is asked for its time instead. `isUsed` may answer from an
    /// earlier state: what was stored since then is young.
    package func sweep(
        olderThan age: Int64, now: Int64, isUsed: (BlobName) async throws -> Bool
    ) async throws -> BlobSweep {
        var sweep = BlobSweep()
        var limit: Int64
        var token: String?
        repeat {
            let page = try await list(token)
            limit = max(0, page.now ?? now) - max(0, age)
            for (name, stored) in page.blobs {
                let isOld = stored < limit
                if isOld, try await !isUsed(name), try await remove(name, ifStoredBefore: limit) {
                    sweep.removed += 1
                } else {
                    sweep.kept += 1
                }
            }
            token = page.next
        } while token != nil
        sweep.unfinished = try await removeUnfinished(before: limit)
        return sweep
    }
}
