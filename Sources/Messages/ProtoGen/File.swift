internal import Glibc

/// Whole files, read and written.
enum File {
    static func read(_ path: String) throws(GenerationError) -> [UInt8] {
        guard let file = unsafe fopen(path, "rb") else { throw failure("open", path) }
        defer { unsafe fclose(file) }
        return unsafe readAll(file)
    }

    static func write(_ bytes: [UInt8], to path: String) throws(GenerationError) {
        makeFolders(of: path)
        guard let file = unsafe fopen(path, "wb") else { throw failure("create", path) }
        let written = unsafe fwrite(bytes, 1, bytes.count, file)
        guard unsafe fclose(file) == 0, written == bytes.count else { throw failure("write", path) }
    }

    /// Makes the folders of a path that are not there yet.
    private static func makeFolders(of path: String) {
        let bytes = Array(path.utf8)
        for index in bytes.indices.dropFirst() where bytes[index] == UInt8(ascii: "/") {
            _ = unsafe mkdir(String(decoding: bytes[..<index], as: UTF8.self), 0o777)
        }
    }

    static func readAll(_ file: UnsafeMutablePointer<FILE>) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe fread(&chunk, 1, chunk.count, file)
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }

    private static func failure(_ verb: String, _ path: String) -> GenerationError {
        GenerationError(unsafe "cannot \(verb) \(path): \(String(cString: strerror(errno)))")
    }
}

/// The process's own streams.
enum StandardStreams {
    static func readAll() throws(GenerationError) -> [UInt8] {
        try File.read("/dev/stdin")
    }

    static func write(_ bytes: [UInt8]) throws(GenerationError) {
        try File.write(bytes, to: "/dev/stdout")
    }

    static func complain(_ sentence: String) {
        let line = Array("\(sentence)\n".utf8)
        _ = unsafe Glibc.write(STDERR_FILENO, line, line.count)
    }
}
