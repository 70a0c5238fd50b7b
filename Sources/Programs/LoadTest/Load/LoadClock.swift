import CLinux
package import EventLoops
import Files

/// The clock of a load: the machine's, or one that a test sets.
package protocol LoadClock: Sendable {
    var now: MonotonicTime { get }

    /// Processor time used by the calling thread.
    var processor: ThreadTime { get }

    /// Returns at that time, as exactly as possible, or earlier, at the latest when the task is cancelled. One task
    /// waits at a time.
    func wait(until time: MonotonicTime) async
}

/// The machine's clock, with a kernel timer that is accurate to microseconds: a loop's own timers are accurate to a
/// millisecond, which would show in the measurements.
package struct PreciseTimer: LoadClock {
    private let timer: Descriptor
    private let ready: DescriptorWaiter

    package init(on loop: EventLoop) async throws {
        timer = Descriptor(owning: try syscall("timerfd_create") { waymark_open_timer() })
        ready = try await DescriptorWaiter(of: timer, on: loop)
    }

    /// To be called when no task waits any more.
    package func close() async { await ready.close() }

    package var now: MonotonicTime { .now }

    package var processor: ThreadTime { .ofThisThread }

    package func wait(until time: MonotonicTime) async {
        let result = waymark_set_timer(timer.number, UInt(time.nanoseconds))
        precondition(result == 0, "timerfd_settime refused a time")
        await ready.wait()
    }
}

/// Processor time that a thread has used, in seconds.
package struct ThreadTime: Sendable, Equatable {
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
