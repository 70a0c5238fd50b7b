/// The result of a sweep.
package struct BlobSweep: Equatable, Sendable {
    /// Unused blobs, removed.
    package var removed = 0
    /// Blobs that were kept.
    package var kept = 0
    /// Removes what was being stored when a program ended.
    package var unfinished = 0
}

extension Blobs {
    /// Removes unused blobs older than `age`, and what was left half stored that long ago. Both times are milliseconds,
    /// `now` since 1970; a store with a clock of its own is asked for its time instead. `needed` gives those of some
    /// old blobs that are used, and may answer from an earlier state: what was stored since then is young.
    package func sweep(
        olderThan age: Int64, now: Int64, needed: ([BlobName]) async throws -> Set<BlobName>
    ) async throws -> BlobSweep {
        var sweep = BlobSweep()
        var limit: Int64
        var token: String?
        repeat {
            let page = try await list(token)
            limit = max(0, page.now ?? now) - max(0, age)
            let old = page.blobs.filter { $0.stored < limit }.map(\.name)
            let used = old.isEmpty ? [] : try await needed(old)
            var removed = 0
            for name in old where !used.contains(name) {
                if try await remove(name, ifStoredBefore: limit) { removed += 1 }
            }
            sweep.removed += removed
            sweep.kept += page.blobs.count - removed
            token = page.next
        } while token != nil
        sweep.unfinished = try await removeUnfinished(before: limit)
        return sweep
    }
}
