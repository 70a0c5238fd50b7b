import EventLoops

/// Waits for something that tells nobody when it happens, giving other tasks the processor in between; false when it
/// has not happened within `limit`: a busy machine may need a minute.
package func eventually(within limit: Duration = .seconds(60), _ condition: () -> Bool) async -> Bool {
    let end = MonotonicTime.now + limit
    while !condition() {
        if MonotonicTime.now > end || Task.isCancelled { return false }
        await Task.yield()
    }
    return true
}
