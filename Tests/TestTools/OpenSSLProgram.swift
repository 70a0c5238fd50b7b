internal import Glibc

/// Runs Debian's `openssl`. Blocks.
package enum OpenSSLProgram {
    /// The program could not be started, or failed.
    package struct Failure: Error {
        let arguments: [String]
        let status: Int32
    }

    /// Runs it to a good end.
    package static func run(_ arguments: [String]) throws {
        let status = try status(arguments, output: "/dev/null")
        guard status == 0 else { throw Failure(arguments: arguments, status: status) }
    }

    /// Runs it with an empty input; gives its exit code and everything it wrote.
    package static func answer(_ arguments: [String]) throws -> (code: Int32, text: String) {
        let folder = TemporaryFolder()
        let status = try status(arguments, output: folder.file("output"))
        return ((status >> 8) & 0xff, try folder.text("output"))
    }

    private static func status(_ arguments: [String], output: String) throws -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        let flags = O_WRONLY | O_CREAT | O_APPEND
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            unsafe posix_spawn_file_actions_addopen(&actions, descriptor, output, flags, 0o600)
        }
        var words = unsafe (["openssl"] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var pid = pid_t()
        var status = unsafe posix_spawnp(&pid, "openssl", &actions, nil, &words, environ)
        guard status == 0 else { throw Failure(arguments: arguments, status: status) }
        while unsafe waitpid(pid, &status, 0) == -1, errno == EINTR {}
        return status
    }
}
