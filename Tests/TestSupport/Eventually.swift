import EventLoops

/// Waits for something that tells nobody when it happens, giving other tasks the processor in between; false when it
/// has not happened within a minute, which a busy machine may need.
package func eventually(_ condition: () -> Bool) async -> Bool {
    let end = MonotonicTime.now + .seconds(60)
    while !condition() {
        if MonotonicTime.now > end || Task.isCancelled { return false }
        await Task.yield()
    }
    return true
}
