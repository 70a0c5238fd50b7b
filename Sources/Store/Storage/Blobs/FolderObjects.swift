import Bytes
package import EventLoops
internal import Files

/// Named objects as files of a folder.
package struct FolderObjects: NamedObjects {
    private let folder: String
    private let blocking: BlockingPool

    /// The folder is made when the first object is stored.
    package init(folder: String, blocking: BlockingPool) {
        (self.folder, self.blocking) = (folder, blocking)
    }

    package func put(_ name: String, _ bytes: [UInt8]) async throws(BlobError) {
        try await run(name) { path throws(SystemError) in
            try makeFolder(DiskFile.folder(of: path))
            try DiskFile.replace(path, with: bytes)
        }
    }

    package func get(_ name: String, limit: Int) async throws(BlobError) -> [UInt8]? {
        try await run(name) { path throws(SystemError) in
            guard let status = try DiskFile.status(path) else { return nil }
            guard status.byteCount <= limit else { throw SystemError(call: "read", code: 27, subject: path) }
            return try OpenFile(reading: path).read(at: 0, limit: status.byteCount)
        }
    }

    package func remove(_ name: String) async throws(BlobError) {
        try await run(name) { path throws(SystemError) in try DiskFile.remove(path) }
    }

    package func list(_ folder: String) async throws(BlobError) -> [(name: String, stored: Int64)] {
        try await run(folder) { path throws(SystemError) in
            guard try DiskFile.exists(path) else { return [] }
            var found: [(name: String, stored: Int64)] = []
            // What is half written has another ending.
            for name in try SmallFile.names(under: path) where !name.ends(with: ".partial") {
                guard DiskFile.isFile("\(path)/\(name)"), let status = try DiskFile.status("\(path)/\(name)") else {
                    continue
                }
                found.append(("\(folder)/\(name)", status.modified))
            }
            return found
        }
    }

    /// Makes a folder in the place, with its parents, and has them on the disk.
    private func makeFolder(_ path: String) throws(SystemError) {
        guard try !DiskFile.exists(path) else { return }
        if path.utf8.count > folder.utf8.count { try makeFolder(DiskFile.folder(of: path)) }
        try DiskFile.makeFolder(path)
        try DiskFile.syncFolder(of: path)
    }

    private func run<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (_ path: String) throws(SystemError) -> Value
    ) async throws(BlobError) -> Value {
        let path = "\(folder)/\(name)"
        return try await blocking.run { () throws(BlobError) in
            do throws(SystemError) {
                return try body(path)
            } catch {
                throw BlobError(error)
            }
        }
    }
}
