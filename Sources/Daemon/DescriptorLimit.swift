import Glibc

/// How many descriptors a process may have open; each connection takes one.
enum DescriptorLimit {
    /// What holds now.
    static var current: Int { Int(clamping: limits.rlim_cur) }

    /// Raises it to what the system allows. Programs are started with fewer, mostly 1,024, for the sake of those that
    /// use `select` (man 2 select, BUGS; man 5 systemd.exec, "LimitNOFILE="); nothing here does.
    static func raise() {
        var wanted = limits
        wanted.rlim_cur = wanted.rlim_max
        // One that can't be raised still holds: a service that has no descriptor left takes no connection for a while.
        _ = unsafe setrlimit(kind, &wanted)
    }

    private static var kind: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }

    private static var limits: rlimit {
        var limits = rlimit()
        _ = unsafe getrlimit(kind, &limits)
        return limits
    }
}
