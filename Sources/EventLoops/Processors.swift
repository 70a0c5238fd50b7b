import CLinux

/// The processors that this process may run on.
package enum Processors {
    /// How many they are, at least 1. What `taskset` and a container's set of processors leave counts, a share of their
    /// time does not.
    package static let count = max(1, Int(waymark_usable_processors()))
}
