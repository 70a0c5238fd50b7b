import EventLoops

/// Waits for something that tells nobody when it happens, and leaves the processor to others in between; false when it
/// has not happened within a minute, which a busy machine may need.
package func eventually(_ condition: () -> Bool) async -> Bool {
    let end = MonotonicTime.now + .seconds(60)
    while !condition() {
        if MonotonicTime.now > end || Task.isCancelled { return false }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return true
}
