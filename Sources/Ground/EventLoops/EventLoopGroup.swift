import CLinux
import Synchronization

/// The loops of a process.
package final class EventLoopGroup: Sendable {
    package let loops: [EventLoop]
    private let turn = Atomic<Int>(0)

    /// Starts `count` loops.
    package init(count: Int) throws(SystemError) {
        precondition(count > 0, "a group needs a loop")
        var loops: [EventLoop] = []
        for index in 0..<count { loops.append(try EventLoop(name: "loop-\(index)")) }
        self.loops = loops
    }

    /// The index of the loop that the caller runs on, if it is one of these.
    package var currentIndex: Int? { loops.firstIndex { $0.isCurrent } }

    /// The index of each loop in turn.
    package func nextIndex() -> Int {
        (turn.wrappingAdd(1, ordering: .relaxed).oldValue & Int.max) % loops.count
    }

    /// Stops all loops. Not to be called on one of them.
    package func shutDown() {
        for loop in loops { loop.shutDown() }
    }
}

/// An actor that is pinned to a loop: its executor is the loop's.
package protocol LoopActor: Actor {
    nonisolated var loop: EventLoop { get }
}

/// The processors that this process may run on.
package enum Processors {
    /// Their number, at least 1. It respects `taskset` and a container's set of processors, but not a limit on their
    /// time.
    package static let count = max(1, Int(waymark_usable_processors()))
}
