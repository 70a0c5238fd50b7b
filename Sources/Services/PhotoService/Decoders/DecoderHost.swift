import CLinux
import EventLoops
import Files
import Forks
import Glibc
import PictureCalls
import Synchronization

/// The program that starts decoders for this service, which may not start any itself once it is confined.
final class DecoderHost: Sendable {
    /// Where a decoder finds the socket over which it gets others.
    private static let control: Int32 = 3

    private struct Child {
        var control: Int32
        var pid: pid_t
    }

    private let program: String
    private let whenLost: @Sendable () -> Void
    private let child = Mutex<Child?>(nil)

    /// - Parameters:
    ///   - program: its file; the one next to this program by default.
    ///   - whenLost: what to do when the program has ended by itself. There can be no other in a confined service.
    init(program: String? = nil, whenLost: @escaping @Sendable () -> Void = {}) {
        self.program = program ?? Self.installed
        self.whenLost = whenLost
    }

    deinit { stop() }

    /// Starts the program. To be called once, before the service is confined.
    func start() throws(SystemError) {
        let (own, its) = try Self.socketPair()
        defer { close(its) }
        do throws(SystemError) {
            let pid = try spawn(its)
            child.withLock { $0 = Child(control: own, pid: pid) }
        } catch {
            close(own)
            throw error
        }
    }

    /// Starts a decoder, and gives a socket to it.
    func decoder(for purpose: DecoderPurpose) throws(SystemError) -> Int32 {
        let (own, its) = try Self.socketPair()
        defer { close(its) }
        let code: Int32 = child.withLock { child in
            guard let child else { return ESRCH }
            return waymark_send_socket(child.control, its, purpose.rawValue) == 0 ? 0 : errno
        }
        guard code == 0 else {
            close(own)
            if code == EPIPE || code == ECONNRESET { whenLost() }
            throw SystemError(call: "send a socket to picture-decoder", code: code)
        }
        return own
    }

    /// To be called when a decoder ended before it was ready: looks whether the program itself has ended, which may be
    /// a moment later. It writes nothing, so what there is to read is the end. Blocks for a second at most.
    func lookForEnd() {
        guard let control = child.withLock({ $0?.control }) else { return }
        var wanted = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
        if unsafe poll(&wanted, 1, 1_000) > 0 { whenLost() }
    }

    /// Ends it and all decoders.
    func stop() {
        guard let ended = child.withLock({ $0.take() }) else { return }
        close(ended.control)
        kill(ended.pid, SIGKILL)
        while waitpid(ended.pid, nil, 0) == -1, errno == EINTR {}
    }

    /// The number of its process, for tests that look at it; nil when it is not started.
    var pid: pid_t? { child.withLock { $0?.pid } }

    private static var installed: String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &path, path.count - 1)
        let own = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "\(DiskFile.folder(of: own))/picture-decoder"
    }

    /// Both ends are closed in programs that are started; the other's comes back to life under its new number.
    private static func socketPair() throws(SystemError) -> (own: Int32, its: Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        _ = try syscall("socketpair") { unsafe socketpair(AF_UNIX, kind, 0, &ends) }
        return (ends[0], ends[1])
    }

    /// Neither its environment nor its output are ours: what it prints may come from a picture.
    private func spawn(_ socket: Int32) throws(SystemError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, mode) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY)] {
            unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", mode, 0)
        }
        // A number that is moved onto itself would stay closed there.
        let moved = try syscall("fcntl") { fcntl(socket, F_DUPFD_CLOEXEC, 10) }
        defer { close(moved) }
        unsafe posix_spawn_file_actions_adddup2(&actions, moved, Self.control)
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, Self.control + 1)
        var words = unsafe [strdup(program), nil]
        // Of the C library's heaps one: each of another thread would reserve as much as a picture has.
        var variables = unsafe [strdup("MALLOC_ARENA_MAX=1"), strdup("SWIFT_BACKTRACE=enable=no"), nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var pid = pid_t()
        let code = unsafe posix_spawn(&pid, program, &actions, nil, &words, &variables)
        guard code == 0 else { throw SystemError(call: "posix_spawn", code: code, subject: program) }
        return pid
    }
}
