package import EventLoops
import Glibc

/// Files that are read whole. Blocks.
package enum SmallFile {
    /// Why a file can't be read.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// Opens a file to be read.
    package static func open(_ path: String) throws(Problem) -> Int32 {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        return descriptor
    }

    /// The bytes of a file of at most `limit` bytes.
    package static func read(_ path: String, limit: Int) throws(Problem) -> [UInt8] {
        let descriptor = try open(path)
        defer { close(descriptor) }
        return try read(descriptor, path, limit: limit)
    }

    /// Reads a file that was just opened.
    package static func read(_ descriptor: Int32, _ path: String, limit: Int) throws(Problem) -> [UInt8] {
        var status = stat()
        var bytes: [UInt8] = []
        // Files that are kept have no room to spare.
        if unsafe fstat(descriptor, &status) == 0 { bytes.reserveCapacity(min(max(Int(status.st_size), 0), limit)) }
        var block = [UInt8](repeating: 0, count: min(limit + 1, 64 << 10))
        while true {
            let count = unsafe Glibc.read(descriptor, &block, block.count)
            guard count >= 0 else { throw unreadable(path) }
            if count == 0 { return bytes }
            bytes += block[..<count]
            guard bytes.count <= limit else { throw Problem(description: "\(path) has more than \(limit) bytes") }
        }
    }

    private static func unreadable(_ path: String) -> Problem {
        Problem(description: "\(path) can't be read: \(unsafe String(cString: strerror(errno)))")
    }

    /// The files under a folder: "modules/map.js". Empty when there is no such folder.
    package static func names(under folder: String) throws(SystemError) -> [String] {
        var names: [String] = []
        for name in try DiskFile.names(in: folder) {
            names.append(name)
            let path = "\(folder)/\(name)"
            guard DiskFile.isFolder(path, followsLink: false) else { continue }
            names += try self.names(under: path).map { "\(name)/\($0)" }
        }
        return names.sorted()
    }

    /// Whether others than a file's owner may read it.
    package static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & (S_IRGRP | S_IROTH) != 0
    }

    /// Whether there is something at the path.
    package static func exists(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }
}
