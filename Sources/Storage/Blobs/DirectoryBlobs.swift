internal import EventLoops
internal import Files
internal import Synchronization

/// Stores blobs in files named by their SHA-256, outside of the database. All of it blocks.
///
///     <folder>/tmp/<random>      being written
///     <folder>/ab/cdef0123…      whole, and on the disk
///
/// A file appears under its name by a rename, after its bytes are on the disk: it is whole, or does not exist. The
/// database decides whether a blob is needed. A blob is stored before the row that names it is written, so a sweep
/// leaves young blobs alone; storing a blob that exists makes it young again.
package final class DirectoryBlobs: Sendable {
    let folder: String
    /// Held while a blob is made young again or moved in, and while one is found old and removed: otherwise a blob that
    /// was just found to exist could be removed.
    private let presence = Mutex(())
    /// The subfolders that are known to be on the disk.
    private let parents = Mutex(Set<String>())

    /// Makes the folder unless it exists. Only one process at a time may use it.
    package init(folder: String) throws(BlobError) {
        self.folder = folder
        do throws(SystemError) {
            try DiskFile.makeFolder(folder)
            try DiskFile.makeFolder("\(folder)/tmp")
            try DiskFile.sync(folder: folder)
        } catch {
            throw BlobError(error)
        }
    }

    /// Stores bytes; when this returns, a crash does not lose them. If they are stored already, it only reads them;
    /// other bytes under their name are replaced.
    package func put(_ bytes: [UInt8]) throws(BlobError) -> BlobName {
        let name = BlobName(of: bytes)
        do throws(SystemError) {
            if try !renew(bytes, name) { try write(bytes, name) }
            try DiskFile.sync(folder: parent(of: name))
        } catch {
            throw BlobError(error)
        }
        return name
    }

    /// All bytes of a blob, checked against its name.
    package func read(_ name: BlobName) throws(BlobError) -> [UInt8] {
        let file = try BlobFile(name, at: path(of: name))
        let bytes = try file.bytes(from: 0, limit: file.count)
        guard BlobName(of: bytes) == name else { throw .damaged(name) }
        return bytes
    }

    /// A blob of so many bytes, to be read in parts. Its bytes are not verified: that would take longer than sending
    /// them, and a reader that stores them compares them with the name.
    package func open(_ name: BlobName, count: Int) throws(BlobError) -> BlobFile {
        let file = try BlobFile(name, at: path(of: name))
        guard file.count == count else { throw .damaged(name) }
        return file
    }

    /// Whether there is a blob of that name.
    package func contains(_ name: BlobName) throws(BlobError) -> Bool {
        do throws(SystemError) {
            return try DiskFile.status(path(of: name)) != nil
        } catch {
            throw BlobError(error)
        }
    }

    /// Removes a blob; it need not exist.
    package func remove(_ name: BlobName) throws(BlobError) { _ = try remove(name, ifModifiedBefore: .max) }

    /// Removes a blob unless it was stored at `limit` (milliseconds since 1970) or later; returns whether it was
    /// removed.
    package func remove(_ name: BlobName, ifModifiedBefore limit: Int64) throws(BlobError) -> Bool {
        let path = path(of: name)
        do throws(SystemError) {
            return try presence.withLock { _ throws(SystemError) in
                guard let status = try DiskFile.status(path), status.modified < limit else { return false }
                return try DiskFile.removeIfThere(path)
            }
        } catch {
            throw BlobError(error)
        }
    }

    func path(of name: BlobName) -> String { "\(parent(of: name))/\(name.text.dropFirst(2))" }

    private func parent(of name: BlobName) -> String { "\(folder)/\(name.text.prefix(2))" }

    /// Whether the file holds these bytes. A file that can't be read does not: it is replaced.
    private func holds(_ bytes: [UInt8], _ name: BlobName) -> Bool {
        guard let file = try? BlobFile(name, at: path(of: name)), file.count == bytes.count else { return false }
        return (try? file.bytes(from: 0, limit: file.count)) == bytes
    }

    /// Whether the bytes are stored; if so, they are made young again.
    private func renew(_ bytes: [UInt8], _ name: BlobName) throws(SystemError) -> Bool {
        guard holds(bytes, name) else { return false }
        let path = path(of: name)
        return try presence.withLock { _ throws(SystemError) in
            guard try DiskFile.status(path)?.byteCount == bytes.count else { return false }
            try DiskFile.touch(path)
            return true
        }
    }

    private func write(_ bytes: [UInt8], _ name: BlobName) throws(SystemError) {
        let temporary = "\(folder)/tmp/\(UInt64.random(in: 0 ... .max))"
        do throws(SystemError) {
            try DiskFile.create(temporary, with: bytes)
            try makeParent(of: name)
            try presence.withLock { _ throws(SystemError) in
                try DiskFile.rename(temporary, to: path(of: name))
            }
        } catch {
            // A file that can't be removed now is swept later; the first error says more.
            _ = try? DiskFile.removeIfThere(temporary)
            throw error
        }
    }

    /// An existing folder may not be on the disk yet: the process that made it may have been killed right afterwards.
    private func makeParent(of name: BlobName) throws(SystemError) {
        let parent = parent(of: name)
        if parents.withLock({ $0.contains(parent) }) { return }
        try DiskFile.makeFolder(parent)
        try DiskFile.sync(folder: folder)
        parents.withLock { _ = $0.insert(parent) }
    }
}
