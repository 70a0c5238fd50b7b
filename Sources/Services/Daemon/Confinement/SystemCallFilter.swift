import Confine

/// Blocks system calls that no service needs and that an intruder would: they fail with EPERM from then on, in all
/// threads.
enum SystemCallFilter {
    /// Starting programs, and access to other processes.
    private static let programs = ["execve", "execveat"]
    private static let others = [
        "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp",
        // The kernel itself, its modules and its programs.
        "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "bpf", "perf_event_open",
        "userfaultfd", "reboot", "syslog", "iopl", "ioperm", "modify_ldt", "personality", "io_uring_setup",
        "io_uring_enter", "io_uring_register", "vmsplice",
        // Mounts, roots and namespaces.
        "mount", "umount2", "pivot_root", "chroot", "setns", "unshare", "move_mount", "open_tree", "fsopen", "fsmount",
        "fsconfig", "fspick", "mount_setattr", "name_to_handle_at", "open_by_handle_at", "quotactl", "acct", "swapon",
        "swapoff",
        // Keys, clocks and names of the machine.
        "add_key", "request_key", "keyctl", "settimeofday", "clock_settime", "adjtimex", "clock_adjtime",
        "sethostname", "setdomainname",
    ]

    /// Returns whether it is in force now.
    /// - Parameter allowsPrograms: whether programs may still be started.
    static func apply(allowsPrograms: Bool) -> Bool {
        let names = others + (allowsPrograms ? [] : programs)
        return unsafe waymark_deny_system_calls(names.joined(separator: " ")) == 0
    }
}
