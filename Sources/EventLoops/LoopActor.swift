/// An actor that is pinned to a loop: its executor is the loop's.
package protocol LoopActor: Actor {
    nonisolated var loop: EventLoop { get }
}

extension LoopActor {
    /// Runs `body` as the actor, at once. Only on its loop.
    ///
    /// It is `assumeIsolated` with the loop's own check: Swift's asks the executor by way of several dynamic casts.
    /// Inlinable, since it runs for every call and frame: otherwise a generic function is not specialized for another
    /// module.
    @inlinable
    @inline(__always)
    package nonisolated func onLoop<R, E: Error>(_ body: (isolated Self) throws(E) -> R) throws(E) -> R {
        loop.preconditionInLoop()
        return try withoutActuallyEscaping(body) { (body: @escaping (isolated Self) throws(E) -> R) throws(E) -> R in
            try unsafe unsafeBitCast(body, to: ((Self) throws(E) -> R).self)(self)
        }
    }
}
