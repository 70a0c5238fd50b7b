import EventLoops
import Synchronization

/// Something that has happened, or not yet.
package final class Flag: Sendable {
    private let value = Mutex(false)

    package init() {}

    package var isSet: Bool { value.withLock { $0 } }

    package func set() { value.withLock { $0 = true } }
}

/// Keeps everybody waiting until it is opened.
package final class Gate: Sendable {
    private let isOpen = Mutex(false)
    private let bell = Bell()

    package init() {}

    package func open() {
        isOpen.withLock { $0 = true }
        bell.ring()
    }

    package func pass() async {
        while !Task.isCancelled {
            let rung = bell.count
            if isOpen.withLock({ $0 }) { return }
            await bell.wait(after: rung)
        }
    }
}
