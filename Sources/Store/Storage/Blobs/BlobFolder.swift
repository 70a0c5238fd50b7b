internal import EventLoops
internal import Files
internal import Synchronization

/// The files of `DirectoryBlobs`, named by their SHA-256. All of it blocks.
///
///     <folder>/tmp/<random>      being written
///     <folder>/ab/cdef0123…      whole, and on the disk
///
/// A file appears under its name by a rename, after its bytes are on the disk: it is whole, or does not exist.
final class BlobFolder: Sendable {
    let path: String
    /// Held while a blob is made young again or moved in, and while one is found old and removed: otherwise a blob that
    /// was just found to exist could be removed.
    private let presence = Mutex(())
    /// The subfolders that are known to be on the disk.
    private let parents = Mutex(Set<String>())

    /// Makes the folder unless it exists. Only one process at a time may use it.
    init(_ folder: String) throws(BlobError) {
        path = folder
        do throws(SystemError) {
            try DiskFile.makeFolder(folder)
            try DiskFile.makeFolder("\(folder)/tmp")
            try DiskFile.sync(folder: folder)
        } catch {
            throw BlobError(error)
        }
    }

    /// Stores the bytes of a name.
    func put(_ bytes: [UInt8], _ name: BlobName) throws(BlobError) {
        do throws(SystemError) {
            if try !renew(bytes, name) {
                let temporary = newTemporary()
                try move(temporary, to: name) { () throws(SystemError) in
                    try DiskFile.create(temporary, with: bytes)
                }
            }
            try DiskFile.sync(folder: parent(of: name))
        } catch {
            throw BlobError(error)
        }
    }

    /// Where a blob is written before it has its name.
    func newTemporary() -> String { "\(path)/tmp/\(UInt64.random(in: 0 ... .max))" }

    /// Gives a file that was written and is on the disk its name.
    func keep(_ temporary: String, as name: BlobName) throws(BlobError) {
        do throws(SystemError) {
            try move(temporary, to: name) { () throws(SystemError) in }
            try DiskFile.sync(folder: parent(of: name))
        } catch {
            throw BlobError(error)
        }
    }

    /// Removes what was written so far.
    func discard(_ temporary: String) throws(BlobError) {
        do throws(SystemError) {
            try DiskFile.remove(temporary)
        } catch {
            throw BlobError(error)
        }
    }

    /// A blob, to be read in parts. Its bytes are not verified: that would take longer than sending them, and a reader
    /// that stores them compares them with the name.
    func open(_ name: BlobName, count: Int?) throws(BlobError) -> BlobFile {
        let file = try BlobFile(name, at: path(of: name))
        guard count == nil || file.count == count else { throw .damaged(name) }
        return file
    }

    /// How many bytes a blob has; nil when there is none.
    func count(of name: BlobName) throws(BlobError) -> Int? {
        do throws(SystemError) {
            return try DiskFile.status(path(of: name))?.byteCount
        } catch {
            throw BlobError(error)
        }
    }

    /// Removes a blob unless it was stored at `limit` (milliseconds since 1970) or later; returns whether it was
    /// removed.
    func remove(_ name: BlobName, ifStoredBefore limit: Int64) throws(BlobError) -> Bool {
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

    private func parent(of name: BlobName) -> String { "\(path)/\(name.text.prefix(2))" }

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

    private func move(
        _ temporary: String, to name: BlobName, written write: () throws(SystemError) -> Void
    ) throws(SystemError) {
        do throws(SystemError) {
            try write()
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
        try DiskFile.sync(folder: path)
        parents.withLock { _ = $0.insert(parent) }
    }
}
