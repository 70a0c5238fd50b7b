internal import Glibc

/// Files read and written as a whole. Blocks.
package enum WholeFile {
    /// The call that failed, on what, and why.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// All bytes of a file.
    package static func bytes(_ path: String) throws -> [UInt8] {
        let descriptor = try opened(path, O_RDONLY)
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe read(descriptor, &chunk, chunk.count)
            guard count >= 0 else { throw failure("read", path) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }

    /// All of a file as text.
    package static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    /// Makes a file of these bytes, for its owner alone, or gives the one that is there these bytes.
    package static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = try opened(path, O_WRONLY | O_CREAT | O_TRUNC)
        defer { close(descriptor) }
        guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw failure("write", path) }
    }

    private static func opened(_ path: String, _ flags: Int32) throws -> Int32 {
        let descriptor = unsafe open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open", path) }
        return descriptor
    }

    private static func failure(_ call: String, _ path: String) -> Failure {
        Failure(description: "\(call) \(path): errno \(errno)")
    }
}
