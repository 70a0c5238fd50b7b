import Bytes
package import EventLoops
import Files
import Glibc

/// A program that is run to its end for what it says.
package enum ProgramTrial {
    /// Bytes that are kept of what it says.
    private static let longest = 64 << 10

    /// How long one may take: a large database is opened in minutes.
    package static let limit = Duration.seconds(3_600)

    /// Runs it without settings of the environment, which may name the data that it is not to touch. Gives the lines
    /// that it wrote; none when it ended well. It ends with this process, however that ends. Blocks.
    package static func run(
        _ program: String, _ arguments: [String], limit: Duration = limit
    ) throws(SystemError) -> [String] {
        let lifeline = try Pipe()
        let (processID, output) = try start(program, arguments, lifeline)
        let end = ContinuousClock.now + limit
        let said = lines(output, until: end)
        // Its output is at the end when it is.
        if said == nil { kill(processID, SIGKILL) }
        var status: Int32 = 0
        try syscall("waitpid") { unsafe waitpid(processID, &status, 0) }
        withExtendedLifetime(lifeline) {}
        guard let said else { return ["it took longer than \(limit.components.seconds) s, and was stopped"] }
        return problems(said, status)
    }

    private static func problems(_ said: [String], _ status: Int32) -> [String] {
        let end = ProcessEnd(waitStatus: status)
        guard end != .exited(0) else { return [] }
        return said.isEmpty ? ["it ended with \(end)"] : said
    }

    /// Here only the reading end of its output stays open.
    private static func start(
        _ program: String, _ arguments: [String], _ lifeline: Pipe
    ) throws(SystemError) -> (processID: Int32, output: Descriptor) {
        let pipe = try Pipe()
        let number = ChildProcess.lifelineNumber
        let descriptors =
            [STDOUT_FILENO, STDERR_FILENO].map { (from: pipe.writing.number, to: $0) }
            + [(from: lifeline.reading.number, to: number)]
        let processID = try Spawn(
            program: program, arguments: arguments + ["--lifeline", "\(number)"], descriptors: descriptors,
            takesSettings: false
        ).run()
        return (processID, pipe.reading)
    }

    /// Nil when they have no end until then.
    private static func lines(_ output: Descriptor, until end: ContinuousClock.Instant) -> [String]? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while true {
            var wait = pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)
            let left = end - .now
            guard left > .zero else { return nil }
            let milliseconds = Int32(clamping: left.components.seconds * 1_000 + 1)
            guard unsafe poll(&wait, 1, milliseconds) > 0 else { continue }
            let count = unsafe read(output.number, &part, part.count)
            guard count > 0 else { break }
            bytes += part[..<count].prefix(max(0, longest - bytes.count))
        }
        return String(decoding: bytes, as: UTF8.self).split(at: "\n").map { String($0) }
    }
}
