import EventLoops
import FoundationEssentials
import Glibc
import Testing

/// The built program of the service as a process of its own, on a free port.
final class ServiceProcess: Sendable {
    static let keyText = String(repeating: "0123456789abcdef", count: 4)

    /// Where it takes calls.
    let endpoint: Endpoint
    private let pid: pid_t
    private let threads: BlockingPool

    /// Starts the program and returns when it has said that it is ready.
    static func start(_ program: String, folder: String) async throws -> ServiceProcess {
        try Data(keyText.utf8).write(to: URL(fileURLWithPath: "\(folder)/key"))
        let arguments = [
            try beside(program), "--listen", "127.0.0.1:0", "--data", "\(folder)/data/deep", "--key-file",
            "\(folder)/key",
            "--loops", "1", "--log-level", "error",
        ]
        let threads = BlockingPool(threadCount: 1)
        let (pid, output) = try spawn(arguments)
        let line = try await threads.run { firstLine(output) }
        let ready = try #require(try? JSONDecoder().decode(Ready.self, from: Data(line.utf8)), "it said: \(line)")
        #expect(ready.event == "ready" && ready.service == program && ready.pid == pid)
        return ServiceProcess(pid: pid, endpoint: try #require(Endpoint(ready.address)), threads: threads)
    }

    private init(pid: pid_t, endpoint: Endpoint, threads: BlockingPool) {
        self.pid = pid
        self.endpoint = endpoint
        self.threads = threads
    }

    /// Sends a signal and gives the status that the process ended with, as `waitpid` tells it.
    func end(by signal: Int32) async throws -> Int32 {
        kill(pid, signal)
        return try await threads.run { [pid] in
            var status: Int32 = 0
            while waitpid(pid, &status, 0) == -1, errno == EINTR {}
            return status
        }
    }

    /// What the program says on its one line of output.
    private struct Ready: Decodable {
        let event: String
        let service: String
        let address: String
        let pid: Int32
    }

    /// A program that the build put beside the tests.
    private static func beside(_ program: String) throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = own[..<(try #require(own.lastIndex(of: "/")))] + "/" + program
        try #require(access(String(path), X_OK) == 0, "\(path) is not built")
        return String(path)
    }

    private static func spawn(_ arguments: [String]) throws -> (pid: pid_t, output: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        var raw: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for argument in raw { free(argument) } }
        var pid = pid_t()
        try #require(posix_spawn(&pid, arguments[0], &actions, nil, &raw, environ) == 0)
        return (pid, ends[0])
    }

    private static func firstLine(_ descriptor: Int32) -> String {
        defer { close(descriptor) }
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }
}
