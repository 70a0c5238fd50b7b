import CLinux
import EventLoops
import Files

/// The machine's clock, with a timer of the kernel's that is good to microseconds: a loop's own timers are good to a
/// millisecond, which would be seen in what is measured.
struct PreciseTimer: LoadClock {
    private let timer: Descriptor
    private let ready: Readiness

    init(on loop: EventLoop) async throws {
        timer = Descriptor(owning: try syscall("timerfd_create") { waymark_open_timer() })
        ready = try await Readiness(of: timer, on: loop)
    }

    /// To be called when nobody waits any more.
    func close() async { await ready.close() }

    var now: MonotonicTime { .now }

    var processor: ThreadTime { .ofThisThread }

    func wait(until time: MonotonicTime) async {
        let result = waymark_set_timer(timer.number, UInt(time.nanoseconds))
        precondition(result == 0, "timerfd_settime refused a time")
        await ready.wait()
    }
}
