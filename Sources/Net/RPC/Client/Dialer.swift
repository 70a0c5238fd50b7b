import EventLoops

/// Connects one socket without blocking.
actor Dialer: LoopActor, IOHandler, TimerOwner {
    nonisolated let loop: EventLoop
    private let address: SocketAddress
    private var socket: Socket?
    private var registration: Registration?
    private var timer: TimerToken?
    private var waiter: Waiter<Result<Int32, SystemError>>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, address: SocketAddress) {
        self.loop = loop
        self.address = address
    }

    /// Returns the descriptor of a connected socket.
    func connect(timeout: Duration) async throws(SystemError) -> Int32 {
        let socket = try Socket.connecting(to: address)
        registration = try loop.register(socket.descriptor, self, write: true)
        timer = loop.setTimer(loop.now + timeout, owner: self, tag: 0)
        self.socket = consume socket
        return try await Waiter.suspend { waiter = $0 }.get()
    }

    nonisolated func ready(read: Bool, write: Bool) {
        onLoop { dialer in
            guard write, let error = dialer.socket?.connectError(dialer.address) else { return dialer.finish(nil) }
            dialer.finish(error)
        }
    }

    nonisolated func timerFired(_ tag: UInt32) {
        onLoop { dialer in
            dialer.timer = nil
            dialer.finish(SystemError(call: "connect", code: 110, subject: dialer.address.description))
        }
    }

    private func finish(_ error: SystemError?) {
        guard let descriptor = socket?.descriptor, let registration else { return }
        loop.deregister(descriptor, registration)
        if let timer { loop.cancelTimer(timer) }
        let connected = socket.take()
        if let error {
            waiter?.resume(.failure(error))
        } else if let connected {
            waiter?.resume(.success(connected.release()))
        }
        waiter = nil
    }
}
