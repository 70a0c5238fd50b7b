import CLinux

/// Processor time that a thread has used, in seconds.
struct ThreadTime: Sendable, Equatable {
    var user = 0.0
    /// In the kernel.
    var system = 0.0

    var total: Double { user + system }

    static var ofThisThread: ThreadTime {
        var (user, kernel): (UInt, UInt) = (0, 0)
        unsafe waymark_thread_time(&user, &kernel)
        return ThreadTime(user: Double(user) / 1e6, system: Double(kernel) / 1e6)
    }

    static func - (left: ThreadTime, right: ThreadTime) -> ThreadTime {
        ThreadTime(user: left.user - right.user, system: left.system - right.system)
    }
}
