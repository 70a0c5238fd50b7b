import EventLoops
import FoundationEssentials
import Glibc
import TestTools

@testable import Files
@testable import Supervisor
@testable import Waymark

/// The built program as a real process.
final class RunningWaymark: Sendable {
    /// One of the lines that `up --json` prints.
    struct Event: Decodable, Equatable {
        var event: String
        var gateway: String?
        var services: [String: String]?
        var admin: [String: String]?
        var pids: [String: Int32]?
        var pid: Int32?
        var pictures: String?
        var service: String?
        var reason: String?
        var attempt: Int?
        var delayMilliseconds: Int?
    }

    let folder: TemporaryFolder
    let processID: Int32
    private let output: Descriptor
    private let end: Descriptor
    private let pool = BlockingPool(threadCount: 2)

    /// Starts `waymark` with these arguments; its standard error goes to a file.
    init(_ arguments: [String], folder: TemporaryFolder) throws {
        self.folder = folder
        let errors = try Descriptor.appending(to: "\(folder.path)/stderr")
        let pipe = try Pipe()
        let program = try ProgramFolder(nil).path(of: "waymark")
        processID = try Spawn(
            program: program, arguments: arguments,
            descriptors: [(pipe.writing.number, STDOUT_FILENO), (errors.number, STDERR_FILENO)]
        ).run()
        output = pipe.reading
        end = try .process(processID)
    }

    deinit {
        kill(processID, SIGKILL)
        pool.close()
    }

    var errors: String { get throws { try folder.text("stderr") } }

    /// The next line that it prints; nil when it prints no more.
    func line() async throws -> String? {
        try await pool.run { [output] in
            var line: [UInt8] = []
            var byte: UInt8 = 0
            while unsafe read(output.number, &byte, 1) == 1 {
                if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
                line.append(byte)
            }
            return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
        }
    }

    func event() async throws -> Event? {
        try await line().map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
    }

    func signal(_ number: Int32) { kill(processID, number) }

    /// How it ended.
    func wait() async throws -> ProcessEnd {
        try await pool.run { [processID] in
            var status: Int32 = 0
            try syscall("waitpid") { unsafe waitpid(processID, &status, 0) }
            return ProcessEnd(waitStatus: status)
        }
    }
}

/// Somebody else's process.
struct OtherProcess {
    private let end: Descriptor?
    private let processID: Int32

    init(_ processID: Int32) {
        self.processID = processID
        end = try? .process(processID)
    }

    func signal(_ number: Int32) { kill(processID, number) }

    /// Waits until it has ended; says whether it did within ten seconds.
    func hasEnded() async throws -> Bool {
        guard let end else { return true }
        let pool = BlockingPool(threadCount: 1)
        return try await pool.run {
            var polled = pollfd(fd: end.number, events: Int16(POLLIN), revents: 0)
            return try syscall("poll") { unsafe poll(&polled, 1, 10_000) } == 1
        }
    }
}
