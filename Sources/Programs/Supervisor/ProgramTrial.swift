import Bytes
package import EventLoops
import Files
import Glibc

/// A program that is run to its end for what it says.
package enum ProgramTrial {
    /// Bytes that are kept of what it says.
    private static let longest = 64 << 10

    /// Runs it without settings of the environment, which may name the data that it is not to touch. Gives the lines
    /// that it wrote; none when it ended well. Blocks.
    package static func run(_ program: String, _ arguments: [String]) throws(SystemError) -> [String] {
        let (processID, output) = try start(program, arguments)
        let said = lines(output)
        var status: Int32 = 0
        try syscall("waitpid") { unsafe waitpid(processID, &status, 0) }
        let end = ProcessEnd(waitStatus: status)
        guard end != .exited(0) else { return [] }
        return said.isEmpty ? ["it ended with \(end)"] : said
    }

    /// Here only the reading end of its output stays open.
    private static func start(
        _ program: String, _ arguments: [String]
    ) throws(SystemError) -> (processID: Int32, output: Descriptor) {
        let pipe = try Pipe()
        let descriptors = [STDOUT_FILENO, STDERR_FILENO].map { (from: pipe.writing.number, to: $0) }
        let processID = try Spawn(
            program: program, arguments: arguments, descriptors: descriptors, takesSettings: false
        ).run()
        return (processID, pipe.reading)
    }

    private static func lines(_ output: Descriptor) -> [String] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while case let count = unsafe read(output.number, &part, part.count), count > 0 {
            bytes += part[..<count].prefix(max(0, longest - bytes.count))
        }
        return String(decoding: bytes, as: UTF8.self).split(at: "\n").map { String($0) }
    }
}
