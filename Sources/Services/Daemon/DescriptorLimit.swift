import Glibc

/// How many descriptors a process may have open; each connection takes one.
enum DescriptorLimit {
    /// The limit in force now.
    static var current: Int { Int(clamping: limits.rlim_cur) }

    /// Raises it to what the system allows. Programs are started with fewer, mostly 1,024, for the sake of those that
    /// use `select` (man 2 select, BUGS; man 5 systemd.exec, "LimitNOFILE="); no code here does.
    static func raise() {
        var wanted = limits
        wanted.rlim_cur = wanted.rlim_max
        // A limit that can't be raised stays in force: a service without a free descriptor accepts no connection for a
        // while.
        _ = unsafe setrlimit(kind, &wanted)
    }

    private static var kind: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }

    private static var limits: rlimit {
        var limits = rlimit()
        _ = unsafe getrlimit(kind, &limits)
        return limits
    }
}
