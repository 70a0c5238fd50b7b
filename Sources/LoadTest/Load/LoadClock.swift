import CLinux
package import EventLoops
import Files

/// What a load runs by: the machine's clock, or one that a test turns.
package protocol LoadClock: Sendable {
    var now: MonotonicTime { get }

    /// What the calling thread has used of its core.
    var processor: ThreadTime { get }

    /// Returns at that time, as exactly as can be, or earlier, at the latest when the task is cancelled. One waits at a
    /// time.
    func wait(until time: MonotonicTime) async
}

/// The machine's clock, with a timer of the kernel's that is good to microseconds: a loop's own timers are good to a
/// millisecond, which would be seen in what is measured.
package struct PreciseTimer: LoadClock {
    private let timer: Descriptor
    private let ready: DescriptorWaiter

    package init(on loop: EventLoop) async throws {
        timer = Descriptor(owning: try syscall("timerfd_create") { waymark_open_timer() })
        ready = try await DescriptorWaiter(of: timer, on: loop)
    }

    /// To be called when nobody waits any more.
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
