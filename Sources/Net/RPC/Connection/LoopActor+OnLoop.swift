import EventLoops

extension LoopActor {
    /// Runs `body` as the actor, at once. Only on its loop.
    ///
    /// It is `assumeIsolated` with the loop's own check: Swift's asks the executor by way of several dynamic casts.
    /// Each module that runs it for every call or frame has its own: one of EventLoops, even `@inlinable`, allocates
    /// the closure on the heap at each event.
    @inline(__always)
    nonisolated func onLoop<R, E: Error>(_ body: (isolated Self) throws(E) -> R) throws(E) -> R {
        loop.preconditionInLoop()
        return try withoutActuallyEscaping(body) { (body: @escaping (isolated Self) throws(E) -> R) throws(E) -> R in
            try unsafe unsafeBitCast(body, to: ((Self) throws(E) -> R).self)(self)
        }
    }
}
