/// An actor that is pinned to a loop: its executor is the loop's.
package protocol LoopActor: Actor {
    nonisolated var loop: EventLoop { get }
}
