internal import EventLoops
internal import Files
internal import Synchronization

/// Keeps bytes in files named by their SHA-256, outside of the database. All of it blocks.
///
///     <folder>/tmp/<random>      being written
///     <folder>/ab/cdef0123…      whole, and on the disk
///
/// A file appears under its name by a rename, after its bytes are on the disk: it is whole, or not there. Whether bytes
/// are needed is for the database to say. They are put before the row that names them is written, so a sweep leaves
/// young ones alone; putting bytes that are there makes them young again.
package final class DirectoryBlobs: Sendable {
    let folder: String
    /// Held while a blob is made young again or moved in, and while one is found old and removed: or the bytes that
    /// were just found to be there could be gone.
    private let presence = Mutex(())
    /// The folders in it that are on the disk for sure.
    private let parents = Mutex(Set<String>())

    /// Makes the folder unless it is there. Only one process at a time may use it.
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

    /// Keeps bytes; when this returns, a crash does not lose them. Where they are there it only reads them, and other
    /// bytes under their name are replaced.
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

    /// A blob of so many bytes, to be read in parts. They are not looked at: that would take longer than sending them,
    /// and who keeps them compares them with their name.
    package func open(_ name: BlobName, count: Int) throws(BlobError) -> BlobFile {
        let file = try BlobFile(name, at: path(of: name))
        guard file.count == count else { throw .damaged(name) }
        return file
    }

    /// Whether the bytes of that name are here.
    package func contains(_ name: BlobName) throws(BlobError) -> Bool {
        do throws(SystemError) {
            return try DiskFile.status(path(of: name)) != nil
        } catch {
            throw BlobError(error)
        }
    }

    /// Removes a blob; one that is not there is fine.
    package func remove(_ name: BlobName) throws(BlobError) { _ = try remove(name, ifModifiedBefore: .max) }

    /// Removes a blob unless it was put at `limit` (milliseconds since 1970) or later; whether it did.
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

    /// Whether the file holds these bytes. One that can't be read does not: it is replaced.
    private func holds(_ bytes: [UInt8], _ name: BlobName) -> Bool {
        guard let file = try? BlobFile(name, at: path(of: name)), file.count == bytes.count else { return false }
        return (try? file.bytes(from: 0, limit: file.count)) == bytes
    }

    /// Whether the bytes are there; they are young again then.
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
            // What can't be removed now is swept later; the first error tells more.
            _ = try? DiskFile.removeIfThere(temporary)
            throw error
        }
    }

    /// One that is there may be new to the disk: who made it may have been killed right after.
    private func makeParent(of name: BlobName) throws(SystemError) {
        let parent = parent(of: name)
        if parents.withLock({ $0.contains(parent) }) { return }
        try DiskFile.makeFolder(parent)
        try DiskFile.sync(folder: folder)
        parents.withLock { _ = $0.insert(parent) }
    }
}
