import Budgets
import EventLoops
import TLS

/// Performs the TLS handshake on one socket without blocking.
actor Handshake: LoopActor {
    typealias Failure = ConnectedSocket.Failure

    nonisolated let loop: EventLoop
    private let side: TLSContext.Side
    private let limit: Duration
    private var socket: ConnectedSocket?
    private var registration: Registration?
    private var waiter: Waiter<Void>?
    private var failure: Failure?
    private var isOver = false
    /// The account that pays for it; nil for a client's, which no peer can make us begin.
    private var memory: MemoryAccount?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// `limit` is how long it may take. `memory` has granted what it needs.
    init(_ side: TLSContext.Side, loop: EventLoop, limit: Duration, memory: consuming MemoryAccount? = nil) {
        self.side = side
        self.memory = memory
        self.loop = loop
        self.limit = limit
    }

    /// Takes over a connected socket; returns it with TLS.
    func run(_ socket: consuming ConnectedSocket) async throws(Failure) -> ConnectedSocket {
        let descriptor = socket.descriptor
        self.socket = consume socket
        do {
            registration = try loop.register(descriptor, self)
        } catch {
            throw .system(error)
        }
        let timer = loop.setTimer(loop.now + limit, owner: self, tag: 0)
        proceed()
        await withTaskCancellationHandler {
            await self.end()
        } onCancel: {
            loop.executeLater { self.onLoop { $0.stop() } }
        }
        loop.cancelTimer(timer)
        if let registration { loop.deregister(descriptor, registration) }
        // The connection that follows has accounts of its own.
        memory = nil
        if let failure { throw failure }
        guard let secured = self.socket.take() else { throw .stopped }
        return secured
    }

    /// The socket of a peer that turned out to speak plain text, so that it can be answered in plain text.
    func takePlain() -> ConnectedSocket? {
        socket?.dropTLS()
        return socket.take()
    }

    /// Cancels the handshake.
    func stop() { finish(.stopped) }

    private func end() async {
        guard !isOver else { return }
        await Waiter<Void>.suspend { waiter = $0 }
    }

    private func proceed() {
        guard !isOver else { return }
        guard failure == nil else { return waitForEnd() }
        do throws(Failure) {
            if try unsafe socket?.shakeHands(loop.scratch) ?? true { return finish(nil) }
            try watch(write: socket?.needsRoom(false) ?? false)
        } catch {
            refuse(error)
        }
    }

    private func watch(write: Bool) throws(Failure) {
        guard let descriptor = socket?.descriptor, let registration else { return }
        do {
            try loop.watch(descriptor, registration, read: true, write: write)
        } catch {
            throw .system(error)
        }
    }

    /// A client may still be sending. Closing at once would answer that with a reset, which discards the alert that TLS
    /// has sent: so only our side is shut down, and we wait for the client to close.
    private func refuse(_ error: Failure) {
        guard side == .server, case .tls(let cause) = error, cause != .plainText else { return finish(error) }
        failure = error
        socket?.stopWriting()
        do {
            try watch(write: false)
        } catch {
            finish(error)
        }
    }

    private func waitForEnd() {
        if unsafe socket?.skip(loop.scratch) != true { finish(nil) }
    }

    /// The first failure is the one that counts.
    private func finish(_ error: Failure?) {
        failure = failure ?? error
        isOver = true
        waiter?.resume()
        waiter = nil
    }
}

extension Handshake: IOHandler, TimerOwner {
    nonisolated func ready(read: Bool, write: Bool) { onLoop { $0.proceed() } }

    nonisolated func timerFired(_ tag: UInt32) { onLoop { $0.finish(.tooSlow($0.limit)) } }
}
