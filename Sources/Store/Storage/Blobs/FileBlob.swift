internal import Crypto
package import EventLoops

/// A file of this machine as a blob: to be read in parts by one reader.
package struct FileBlob: ReadableBlob {
    private static let part = 1 << 20

    let file: BlobFile
    let blocking: BlockingPool

    init(_ file: BlobFile, _ blocking: BlockingPool) {
        self.file = file
        self.blocking = blocking
    }

    /// Opens any file, and reads all of it for its name.
    package static func opened(_ path: String, _ blocking: BlockingPool) async throws(BlobError) -> FileBlob {
        try await blocking.run { () throws(BlobError) in
            let nameless = try BlobFile(BlobName(of: []), at: path)
            var digest = RunningSHA256()
            for start in stride(from: 0, to: nameless.count, by: part) {
                digest.update(try nameless.bytes(from: start, limit: part)[...])
            }
            guard let name = BlobName(bytes: digest.digest) else { throw .failed("\(path) has no hash") }
            return FileBlob(try BlobFile(name, at: path), blocking)
        }
    }

    package var name: BlobName { file.name }
    package var count: Int { file.count }

    package func bytes(behind head: [UInt8], from start: Int, limit: Int) async throws(BlobError) -> [UInt8] {
        try await blocking.run { [file] () throws(BlobError) in
            try file.bytes(behind: head, from: start, limit: limit)
        }
    }

    /// From the page cache, which needs no thread that may wait for a disk.
    package func bytesInMemory(behind head: [UInt8], from start: Int, limit: Int) -> [UInt8]? {
        file.bytesInMemory(behind: head, from: start, limit: limit)
    }
}
