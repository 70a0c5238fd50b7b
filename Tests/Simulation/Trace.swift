import Glibc
import TestTools

/// What happened in a world, for a person who looks for the cause of a failure.
enum Trace {
    static func say(_ text: String) {
        let seconds = Double(Int(World.now.inSeconds * 1_000_000)) / 1_000_000
        write("\(seconds) \(text)\n")
    }

    static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
