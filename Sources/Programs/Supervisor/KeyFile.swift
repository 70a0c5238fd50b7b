import Bytes
package import EventLoops
import Files
import Glibc
import Terminal

/// A file with tokens, one a line and its roles after it, as a gateway reads it: empty lines, and those that begin with
/// "#", are skipped.
package enum TokenFile {
    /// The first token; nil when there is none. Blocks.
    package static func first(_ path: String) throws(SystemError) -> String? {
        let text = String(decoding: try OpenFile(reading: path).read(at: 0, limit: 4096), as: UTF8.self)
        let lines = text.split(atScalars: \.isLineEnd)
        let tokens = lines.compactMap { $0.split(atScalars: \.isWhitespace).first }
        return tokens.first { !$0.begins(with: "#") }.map(String.init)
    }
}

/// A file with a secret that is made once: 32 random bytes as 64 hexadecimal digits, readable by its owner only. The
/// deployment's key is one, a token of the gateway another.
package struct KeyFile: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    private static let byteCount = 32

    /// Makes the file unless it exists. Returns whether it did. Blocks.
    package func makeIfMissing() throws -> Bool {
        guard let descriptor = try create() else {
            try check()
            return false
        }
        defer { close(descriptor) }
        do {
            try Self.write(try Self.freshKey(), to: descriptor, path)
        } catch {
            unsafe unlink(path)  // Half a key would block the next attempt.
            throw error
        }
        return true
    }

    /// A new empty file; nil when one exists.
    private func create() throws(SystemError) -> Int32? {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { return descriptor }
        guard errno == EEXIST else { throw SystemError(call: "open", code: errno, subject: path) }
        return nil
    }

    /// An existing file must hold a key.
    private func check() throws {
        let file = try OpenFile(reading: path)
        let text = try file.read(at: 0, limit: 4096)
        let digits = text.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard digits.count == Self.byteCount * 2, digits.allSatisfy({ Unicode.Scalar($0).isHexDigit }) else {
            throw CommandFailure("\(path) contains no Waymark key: 64 hexadecimal digits are needed")
        }
    }

    private static func freshKey() throws(SystemError) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: byteCount)
        try syscall("getentropy") { unsafe getentropy(&key, byteCount) }
        let digits = Array("0123456789abcdef".utf8)
        return key.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } + [0x0A]
    }

    private static func write(_ text: [UInt8], to descriptor: Int32, _ path: String) throws(SystemError) {
        let count = try syscall("write", path) { unsafe Glibc.write(descriptor, text, text.count) }
        guard count == text.count else { throw SystemError(call: "write", code: ENOSPC, subject: path) }
        try syscall("fsync", path) { fsync(descriptor) }
    }
}
