internal import Bytes
internal import EventLoops
internal import Files

extension BlobFolder {
    /// The subfolders with blobs, in order: a page of the list each.
    func subfolders() throws(BlobError) -> [String] {
        try names(in: path).filter { $0.utf8.count == 2 && $0.unicodeScalars.allSatisfy(\.isHexDigit) }.sorted()
    }

    /// The blobs in a subfolder, each with the time it was last stored. Files with other names are left alone.
    func blobs(in subfolder: String) throws(BlobError) -> [(name: BlobName, stored: Int64)] {
        var blobs: [(name: BlobName, stored: Int64)] = []
        for rest in try names(in: "\(path)/\(subfolder)") {
            guard let name = BlobName(subfolder + rest), let status = try status(path(of: name)) else { continue }
            blobs.append((name, status.modified))
        }
        return blobs
    }

    /// Removes what was being written and has not changed since `limit`.
    func removeTemporary(modifiedBefore limit: Int64) throws(BlobError) -> Int {
        var count = 0
        for name in try names(in: "\(path)/tmp") {
            let path = "\(path)/tmp/\(name)"
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
            return try DiskFile.names(in: folder)
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
