import EventLoops
import Glibc

/// A listening socket. Lives on one loop; hands new connections to all loops in turn.
actor Listener {
    nonisolated let loop: EventLoop
    nonisolated let address: SocketAddress
    private let server: Server
    private var socket: Socket?
    private var registration: Registration?
    private var accepted = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// How long nothing is accepted after the process ran out of descriptors.
    private static let pause: Duration = .milliseconds(100)

    init(on address: SocketAddress, loop: EventLoop, server: Server) throws(SystemError) {
        let socket = try Socket.listening(on: address)
        self.address = socket.localAddress ?? address
        self.socket = consume socket
        self.loop = loop
        self.server = server
    }

    func start() {
        guard let descriptor = socket?.descriptor else { return }
        do {
            registration = try loop.register(descriptor, self)
        } catch {
            preconditionFailure("a fresh socket could not be watched: \(error)")
        }
    }

    func close() {
        guard let descriptor = socket?.descriptor else { return }
        if let registration { loop.deregister(descriptor, registration) }
        registration = nil
        socket = nil
    }

    private func acceptAll() {
        do {
            while let client = try socket?.accept() ?? nil { hand(client) }
        } catch  where [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(error.code) {
            pause(true)
            _ = loop.setTimer(loop.now + Self.pause, owner: self, tag: 0)
        } catch {
            // The client went away before it was accepted; the next one is not touched by that.
        }
    }

    private func hand(_ client: consuming Socket) {
        guard let connection = server.accept(accepted) else { return }
        accepted &+= 1
        let descriptor = client.release()
        connection.loop.execute {
            connection.assumeIsolated { $0.start(Socket(owning: descriptor)) }
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
    nonisolated func ready(read: Bool, write: Bool) { assumeIsolated { $0.acceptAll() } }
    nonisolated func timerFired(_ tag: UInt32) { assumeIsolated { $0.pause(false) } }
}
