internal import Glibc

/// A new folder of its own, removed with its files when it is no longer used.
package struct TemporaryFolder: ~Copyable {
    /// Where it is.
    package let path: String

    /// Throws when no folder can be made.
    package init() throws {
        var template = Array("/tmp/waymark-wire-XXXXXX".utf8CString)
        guard let made = unsafe mkdtemp(&template) else {
            throw PeerError(description: "no temporary folder: \(errno)")
        }
        path = unsafe String(cString: made)
    }

    deinit {
        if let folder = unsafe opendir(path) {
            while let entry = unsafe readdir(folder) {
                let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                    unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                }
                unsafe unlink("\(path)/\(name)")
            }
            unsafe closedir(folder)
        }
        unsafe rmdir(path)
    }

    /// Writes a whole file.
    package static func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = unsafe fopen(path, "wb") else {
            throw PeerError(description: "cannot create \(path): \(errno)")
        }
        let written = unsafe fwrite(bytes, 1, bytes.count, file)
        guard unsafe fclose(file) == 0, written == bytes.count else {
            throw PeerError(description: "cannot write \(path)")
        }
    }

    /// Reads a whole file.
    package static func read(_ path: String) throws -> [UInt8] {
        guard let file = unsafe fopen(path, "rb") else { throw PeerError(description: "cannot open \(path): \(errno)") }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe fread(&chunk, 1, chunk.count, file)
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }
}

/// Bytes as pairs of hexadecimal digits.
package enum Hexadecimal {
    /// Two digits for each byte.
    package static func text(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The bytes; anything but digits is passed over.
    package static func bytes(_ text: String) -> [UInt8] {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }
}
