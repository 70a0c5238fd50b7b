import Daemon
import Glibc
import TestSupport
import TestTools

/// A log into a file.
enum WrittenLog {
    /// Runs `body` with one, and gives its lines.
    static func lines(level: Log.Level = .info, _ body: (Log) -> Void) throws -> [String] {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = try folder.write("", to: "log")
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let log = Log(service: "test", level: level, clock: ManualClock(42).clock, descriptor: descriptor)
        body(log)
        log.close()
        return try WholeFile.text(path).split(separator: "\n").map(String.init)
    }
}
