import EventLoops
package import Glibc
import Synchronization
import TestTools

/// A program of this build, run as a process of its own. It gets no environment but what it is given, and how a
/// sanitizer is to work.
package final class ProgramRun: Sendable {
    /// How a program ended.
    package struct End: Sendable {
        /// Its exit code; 128 and the signal's number when a signal ended it.
        package let code: Int32
        /// What it wrote to standard output after the lines that were read.
        package let output: String
        /// What it wrote to standard error.
        package let errors: String
    }

    /// Its number while it runs.
    package let pid: pid_t
    private let output: Int32
    private let errorFile: String
    private let lifeline: Mutex<Int32>
    private let isRunning = Mutex(true)

    /// The number under which a program finds its lifeline.
    package static let lifelineDescriptor: Int32 = 3

    /// Without them a program that is checked for leaks would end with an error.
    private static var sanitizerOptions: [String] {
        ["ASAN_OPTIONS", "TSAN_OPTIONS"].compactMap { (name: String) -> String? in
            guard let value = unsafe getenv(name) else { return nil }
            return "\(name)=\(unsafe String(cString: value))"
        }
    }

    /// Starts a program that the build put beside the tests.
    package init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        var template = Array("/tmp/waymark-errors-XXXXXX".utf8CString)
        let errors = unsafe mkstemp(&template)
        let (readEnd, writeEnd) = try Self.pipe()
        let (lifelineRead, lifelineWrite) = try Self.pipe()
        defer { for end in [errors, writeEnd, lifelineRead] { close(end) } }
        errorFile = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        output = readEnd
        lifeline = Mutex(lifelineWrite)
        pid = try Self.spawn(
            [Self.path(program)] + arguments, environment.map { "\($0.key)=\($0.value)" } + Self.sanitizerOptions,
            [(writeEnd, STDOUT_FILENO), (errors, STDERR_FILENO), (lifelineRead, Self.lifelineDescriptor)])
    }

    deinit {
        if isRunning.withLock({ $0 }) { kill(pid, SIGKILL) }
        cutLifeline()
        close(output)
        unsafe unlink(errorFile)
    }

    /// Runs a program to its end.
    package static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> End {
        try await ProgramRun(program, arguments, environment: environment).end()
    }

    /// The next line of standard output; empty at its end.
    package func line() async throws -> String {
        try await BlockingCalls.run { [output] in Self.read(output, untilLineEnd: true) }
    }

    /// Bytes of its standard error by now.
    package var errorBytes: Int { get throws { try WholeFile.text(errorFile).utf8.count } }

    /// Whether its standard error has this by now.
    package func hasSaid(_ text: String) -> Bool { (try? WholeFile.text(errorFile))?.contains(text) ?? false }

    package func send(signal: Int32) { kill(pid, signal) }

    /// Closes the other end of the pipe that the program may watch.
    package func cutLifeline() {
        lifeline.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    /// Waits until the program has ended.
    package func end() async throws -> End {
        try await BlockingCalls.run { [self] in
            let rest = Self.read(output, untilLineEnd: false)
            var status: Int32 = 0
            while unsafe waitpid(pid, &status, 0) == -1, errno == EINTR {}
            isRunning.withLock { $0 = false }
            let signal = status & 0x7f
            return End(
                code: signal == 0 ? (status >> 8) & 0xff : 128 + signal, output: rest,
                errors: try WholeFile.text(errorFile))
        }
    }

    /// Where the build has put a program.
    package static func path(_ program: String) -> String {
        if program.hasPrefix("/") { return program }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        return own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/" + program
    }

    private static func read(_ descriptor: Int32, untilLineEnd: Bool) -> String {
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe Glibc.read(descriptor, &byte, 1) == 1 {
            if untilLineEnd, byte == UInt8(ascii: "\n") { break }
            text.append(byte)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        let ends = try makePipe()
        // Above the numbers that they get in the program: a number moved onto itself would stay closed there.
        let moved = [ends.readEnd, ends.writeEnd].map { end in
            defer { close(end) }
            return fcntl(end, F_DUPFD_CLOEXEC, 10)
        }
        return (moved[0], moved[1])
    }

    private static func spawn(
        _ arguments: [String], _ environment: [String], _ descriptors: [(own: Int32, its: Int32)]
    ) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (own, its) in descriptors { unsafe posix_spawn_file_actions_adddup2(&actions, own, its) }
        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var pid = pid_t()
        let code = unsafe posix_spawn(&pid, arguments[0], &actions, nil, &words, &variables)
        guard code == 0 else { throw RawSocketError.failed(call: "posix_spawn \(arguments[0])", code: code) }
        return pid
    }
}
