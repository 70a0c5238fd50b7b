internal import Crypto
package import EventLoops
internal import Files
internal import Glibc

/// Blobs in a folder of this machine. Its work blocks, and is done by the threads it is given.
package final class DirectoryBlobs: Blobs {
    /// Bytes up to which a blob is written in one step, and of a part of a longer one.
    private static let part = 1 << 20

    let files: BlobFolder
    private let blocking: BlockingPool

    /// Makes the folder unless it exists; that blocks. Only one process at a time may use it.
    package init(folder: String, blocking: BlockingPool) throws(BlobError) {
        files = try BlobFolder(folder)
        self.blocking = blocking
    }

    /// Opens the folder where the caller may not block.
    package static func opened(_ folder: String, _ blocking: BlockingPool) async throws(BlobError) -> DirectoryBlobs {
        try await blocking.run { () throws(BlobError) in try DirectoryBlobs(folder: folder, blocking: blocking) }
    }

    /// How many bytes a blob has; nil when there is none.
    package func count(of name: BlobName) async throws(BlobError) -> Int? {
        try await blocking.run { [files] () throws(BlobError) in try files.count(of: name) }
    }

    package func put(_ blob: any ReadableBlob) async throws(BlobError) {
        let name = blob.name
        // Bytes that are held have the name that they were given by their hash.
        if let held = blob as? HeldBlob {
            return try await blocking.run { [files] () throws(BlobError) in try files.put(held.bytes, name) }
        }
        guard blob.count > Self.part else {
            let bytes = try await blob.bytes(behind: [], from: 0, limit: Self.part)
            return try await blocking.run { [files] () throws(BlobError) in
                guard BlobName(of: bytes) == name else { throw .damaged(name) }
                try files.put(bytes, name)
            }
        }
        try await putInParts(blob)
    }

    package func open(
        _ name: BlobName, count: Int?, behind head: [UInt8], limit: Int
    ) async throws(BlobError) -> OpenedBlob {
        try await blocking.run { [files, blocking] () throws(BlobError) in
            let file = try files.open(name, count: count)
            return OpenedBlob(
                FileBlob(file, blocking), first: try file.bytes(behind: head, from: 0, limit: limit))
        }
    }

    package func contains(_ name: BlobName) async throws(BlobError) -> Bool {
        try await blocking.run { [files] () throws(BlobError) in try files.count(of: name) != nil }
    }

    package func remove(_ name: BlobName, ifStoredBefore limit: Int64) async throws(BlobError) -> Bool {
        try await blocking.run { [files] () throws(BlobError) in try files.remove(name, ifStoredBefore: limit) }
    }

    /// A page is a subfolder, about 1 in 256 of all blobs.
    package func list(_ page: String?) async throws(BlobError) -> BlobPage {
        try await blocking.run { [files] () throws(BlobError) in
            var answer = BlobPage()
            let rest = try files.subfolders().drop { $0 < page ?? "" }
            guard let subfolder = rest.first else { return answer }
            answer.blobs = try files.blobs(in: subfolder)
            answer.next = rest.dropFirst().first
            return answer
        }
    }

    package func removeUnfinished(before limit: Int64) async throws(BlobError) -> Int {
        try await blocking.run { [files] () throws(BlobError) in try files.removeTemporary(modifiedBefore: limit) }
    }

    /// A longer blob never is in memory as a whole.
    private func putInParts(_ blob: any ReadableBlob) async throws(BlobError) {
        let temporary = files.newTemporary()
        do throws(BlobError) {
            var digest = RunningSHA256()
            for start in stride(from: 0, to: blob.count, by: Self.part) {
                let bytes = try await blob.bytes(behind: [], from: start, limit: Self.part)
                digest.update(bytes[...])
                let isLast = start + Self.part >= blob.count
                try await blocking.run { () throws(BlobError) in
                    try Self.write(bytes, to: temporary, at: start, isLast: isLast)
                }
            }
            guard digest.digest == blob.name.bytes else { throw .damaged(blob.name) }
            try await blocking.run { [files, name = blob.name] () throws(BlobError) in
                try files.keep(temporary, as: name)
            }
        } catch {
            // A file that can't be removed now is swept later; the first error says more.
            _ = try? await blocking.run { [files] () throws(BlobError) in try files.discard(temporary) }
            throw error
        }
    }

    private static func write(
        _ bytes: [UInt8], to path: String, at start: Int, isLast: Bool
    ) throws(BlobError) {
        do throws(SystemError) {
            let file = try Descriptor.appending(to: path)
            try DiskFile.writeAll(bytes, to: file.number, at: start, path)
            if isLast { try syscall("fsync", path) { fsync(file.number) } }
        } catch {
            throw BlobError(error)
        }
    }
}

extension BlockingPool {
    /// Runs work on blobs; what keeps it from running is an error of theirs too.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(BlobError) -> Value
    ) async throws(BlobError) -> Value {
        do {
            return try await run { () throws in try body() }
        } catch let error as BlobError {
            throw error
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .failed("the disk has too much to do: \(error)")
        }
    }
}
