package import EventLoops
package import Files
import Glibc

/// Waits on a loop until a descriptor can be read, and takes up to eight bytes out of it then: what a timer or the pipe
/// of a signal handler holds.
package actor DescriptorWaiter: IOHandler {
    private let descriptor: Descriptor
    private let loop: EventLoop
    private var registration: Registration?
    private var waiter: Waiter<Void>?
    private var isReady = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// Watches the descriptor until `close`.
    package init(of descriptor: Descriptor, on loop: EventLoop) async throws(SystemError) {
        self.descriptor = descriptor
        self.loop = loop
        try watch()
    }

    private func watch() throws(SystemError) { registration = try loop.register(descriptor.number, self) }

    package func close() {
        if let registration { loop.deregister(descriptor.number, registration) }
        registration = nil
    }

    /// Returns when it has become readable since the last time, or the task is cancelled.
    package func wait() async {
        await withTaskCancellationHandler {
            await self.suspend()
        } onCancel: {
            self.loop.executeLater { self.assumeIsolated { $0.wake() } }
        }
        isReady = false
    }

    private func suspend() async {
        guard !isReady else { return }
        await Waiter.suspend { waiter in
            loop.preconditionInLoop()
            self.waiter = waiter
        }
    }

    private func wake() {
        isReady = true
        waiter?.resume()
        waiter = nil
    }

    package nonisolated func ready(read: Bool, write: Bool) {
        assumeIsolated { readiness in
            var bytes: UInt64 = 0
            _ = unsafe Glibc.read(readiness.descriptor.number, &bytes, MemoryLayout<UInt64>.size)
            readiness.wake()
        }
    }
}
