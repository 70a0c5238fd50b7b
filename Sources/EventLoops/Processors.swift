import CLinux

/// The processors that this process may run on.
package enum Processors {
    /// Their number, at least 1. It respects `taskset` and a container's set of processors, but not a limit on their
    /// time.
    package static let count = max(1, Int(waymark_usable_processors()))
}
