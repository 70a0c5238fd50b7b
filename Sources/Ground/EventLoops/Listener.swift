import Glibc

/// A listening socket. Stays on one loop, and hands over each new connection.
package actor Listener {
    /// Where it listens, with the port that was chosen.
    package nonisolated let address: SocketAddress
    private nonisolated let loop: EventLoop
    private let accepted: @Sendable (consuming Socket) -> Void
    private var socket: Socket?
    private var registration: Registration?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// How long nothing is accepted after the process has run out of descriptors.
    private static let pause: Duration = .milliseconds(100)

    /// Binds; `start` begins to accept. `accepted` is called on the loop with each new connection.
    package init(
        on address: SocketAddress, loop: EventLoop, accepted: @escaping @Sendable (consuming Socket) -> Void
    ) throws(SystemError) {
        let socket = try Socket.listening(on: address)
        self.address = socket.localAddress ?? address
        self.socket = consume socket
        self.loop = loop
        self.accepted = accepted
    }

    package func start() {
        guard let descriptor = socket?.descriptor else { return }
        do {
            registration = try loop.register(descriptor, self)
        } catch {
            preconditionFailure("a fresh socket could not be watched: \(error)")
        }
    }

    package func close() {
        guard let descriptor = socket?.descriptor else { return }
        if let registration { loop.deregister(descriptor, registration) }
        registration = nil
        socket = nil
    }

    private func acceptAll() {
        do {
            while let client = try socket?.accept() ?? nil { accepted(client) }
        } catch  where [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(error.code) {
            pause(true)
            _ = loop.setTimer(loop.now + Self.pause, owner: self, tag: 0)
        } catch {
            // The client went away before it was accepted; the next one is not affected.
        }
    }

    private func pause(_ isPaused: Bool) {
        guard let descriptor = socket?.descriptor, let registration else { return }
        do {
            try loop.watch(descriptor, registration, read: !isPaused, write: false)
        } catch {
            preconditionFailure("a listening socket could not be watched: \(error)")
        }
    }
}

extension Listener: IOHandler, TimerOwner {
    package nonisolated func ready(read: Bool, write: Bool) { assumeIsolated { $0.acceptAll() } }
    package nonisolated func timerFired(_ tag: UInt32) { assumeIsolated { $0.pause(false) } }
}
