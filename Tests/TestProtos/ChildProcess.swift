internal import Glibc

/// Programs that tests run.
package enum ChildProcess {
    /// The folder of Package.swift.
    package static let packageRoot = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

    /// The file of the program that runs the tests.
    package static var ownPath: String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }

    /// A variable of the environment.
    package static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

    /// Whether a program of that name is found.
    package static func isInstalled(_ name: String) -> Bool {
        run(["/bin/sh", "-c", "command -v \(name)"], output: "/dev/null") == 0
    }

    /// Runs a program to its end and answers with its exit status; -1 when it could not be started.
    package static func run(_ command: [String], output: String, errors: String? = nil) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        if let errors {
            unsafe posix_spawn_file_actions_addopen(
                &actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
        var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
        var process = pid_t()
        guard unsafe posix_spawn(&process, command[0], &actions, nil, &arguments, environ) == 0 else { return -1 }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == 0 ? (status >> 8) & 0xff : -1
    }
}
