internal import EventLoops
internal import Files

/// The result of a sweep.
package struct BlobSweep: Equatable, Sendable {
    /// Unused blobs, removed.
    package var removed = 0
    /// Blobs that were kept.
    package var kept = 0
    /// Files that were being written when the program ended, removed.
    package var temporary = 0
}

extension DirectoryBlobs {
    /// Calls `body` for every blob with the time it was last stored, in milliseconds since 1970. Blobs that are added
    /// or removed in the meantime may or may not be included.
    package func list(_ body: (_ name: BlobName, _ modified: Int64) throws -> Void) throws {
        for parent in try names(in: folder) where parent.utf8.count == 2 {
            for rest in try names(in: "\(folder)/\(parent)") {
                guard let name = BlobName(parent + rest), let status = try status(path(of: name)) else { continue }
                try body(name, status.modified)
            }
        }
    }

    /// Removes unused blobs older than `age`, and files left half written that long ago. Both times are milliseconds,
    /// `now` since 1970. `isUsed` may answer from an earlier state: what was stored since then is young.
    package func sweep(
        olderThan age: Int64, now: Int64, isUsed: (BlobName) throws -> Bool
    ) throws -> BlobSweep {
        precondition(age >= 0, "an age is not negative")
        let limit = max(0, now) - age
        var sweep = BlobSweep()
        try list { name, modified in
            if modified < limit, try !isUsed(name), try remove(name, ifModifiedBefore: limit) {
                sweep.removed += 1
            } else {
                sweep.kept += 1
            }
        }
        sweep.temporary = try removeTemporary(modifiedBefore: limit)
        return sweep
    }

    private func removeTemporary(modifiedBefore limit: Int64) throws(BlobError) -> Int {
        var count = 0
        for name in try names(in: "\(folder)/tmp") {
            let path = "\(folder)/tmp/\(name)"
            guard let status = try status(path), status.modified < limit else { continue }
            do throws(SystemError) {
                if try DiskFile.removeIfThere(path) { count += 1 }
            } catch {
                throw BlobError(error)
            }
        }
        return count
    }

    private func names(in folder: String) throws(BlobError) -> [String] {
        do throws(SystemError) {
            return try DiskFile.allNames(in: folder)
        } catch {
            throw BlobError(error)
        }
    }

    private func status(_ path: String) throws(BlobError) -> DiskFile.Status? {
        do throws(SystemError) {
            return try DiskFile.status(path)
        } catch {
            throw BlobError(error)
        }
    }
}
