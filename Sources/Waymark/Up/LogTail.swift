import Files
import Terminal

/// The last words of a service that ended at its start: the end of its log.
enum LogTail {
    private static let readBytes: UInt64 = 4096

    /// The last line that says something. Nil when there is none, or no log.
    static func lastLine(of path: String) -> String? {
        do {
            let bytes = try end(of: path)
            let line = bytes.split(separator: UInt8(ascii: "\n")).last { !$0.allSatisfy { $0 == 0x20 } }
            return line.map { String(decoding: $0, as: UTF8.self).printable }
        } catch {
            return nil  // The log only adds to an error that is told anyway.
        }
    }

    private static func end(of path: String) throws -> [UInt8] {
        let file = try File(reading: path)
        let size = try file.size() ?? 0
        return try file.read(at: size - min(size, readBytes), limit: Int(readBytes))
    }
}
