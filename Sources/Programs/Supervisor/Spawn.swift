import Arguments
import Bytes
import CLinux
import EventLoops
import Glibc

/// Starts a program with posix_spawn: it inherits only the descriptors named and the environment, without the variables
/// for TLS. Those are for this client; the services that it starts speak plain text on loopback.
struct Spawn {
    let program: String
    let arguments: [String]
    /// Our descriptor, and what it becomes in the child.
    let descriptors: [(from: Int32, to: Int32)]
    /// Whether it takes settings from the environment too.
    var takesSettings = true

    /// Starts it and returns the child's process id.
    func run() throws(SystemError) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        for (from, to) in descriptors { unsafe posix_spawn_file_actions_adddup2(&actions, from, to) }
        let highest = descriptors.map(\.to).max() ?? STDERR_FILENO
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, highest + 1)

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe Self.set(&attributes)
        return try unsafe spawn(&actions, &attributes)
    }

    /// A process group of its own, no blocked signals, and the default action for each.
    private static func set(_ attributes: UnsafeMutablePointer<posix_spawnattr_t>) {
        var none = sigset_t()
        unsafe sigemptyset(&none)
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setpgroup(attributes, 0)
        unsafe posix_spawnattr_setsigmask(attributes, &none)
        unsafe posix_spawnattr_setsigdefault(attributes, &all)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(attributes, Int16(flags))
    }

    private func spawn(
        _ actions: UnsafePointer<posix_spawn_file_actions_t>, _ attributes: UnsafePointer<posix_spawnattr_t>
    ) throws(SystemError) -> Int32 {
        let environment = Environment.ofProcess.filter {
            !$0.key.begins(with: takesSettings ? "WAYMARK_TLS_" : "WAYMARK_")
        }
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var processID: pid_t = 0
        let code = unsafe posix_spawn(&processID, program, actions, attributes, &words, &variables)
        guard code == 0 else { throw SystemError(call: "start", code: code, subject: program) }
        return processID
    }
}
