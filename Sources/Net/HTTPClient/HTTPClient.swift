import CCurl
package import EventLoops
import Glibc

/// Sends requests to other people's servers. libcurl speaks HTTP, on one of our loops: it reports which sockets and
/// which time it waits for, and the loop notifies it when they are ready. Connections are kept and reused.
///
/// Its owner has to close it.
@safe
package actor HTTPClient {
    /// What a client takes up at most.
    package struct Limits: Sendable {
        package var connections = 64
        package var connectionsOfHost = 8

        package init() {}
    }

    package nonisolated let loop: EventLoop
    /// What it says of itself: a name, a version, and whom to write to.
    package nonisolated let agent: String
    private let limits: Limits
    private var multi: UnsafeMutableRawPointer?
    private var isClosed = false
    private var transfers: [UInt64: Transfer] = [:]
    /// Answers that have come to their end, and have a reader that may not.
    private var ended: [UInt64: Transfer] = [:]
    private var sockets: [Int32: WatchedSocket] = [:]
    private var timer: TimerToken?
    /// Whether libcurl is called at the end of this turn.
    private var isDue = false
    private var lastID: UInt64 = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// libcurl's own preparations, once in a process.
    private static let isReady = waymark_curl_start() == CURLE_OK

    package init(loop: EventLoop, agent: String, limits: Limits = Limits()) {
        self.loop = loop
        self.agent = agent
        self.limits = limits
    }

    /// Sends a request and gives the answer, whatever its status. Cancelling the task ends the request.
    package func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPClientResponse {
        let id = try begin(request, isStream: false)
        return try await head(of: id).get()
    }

    /// Sends a request and gives the head of the answer, whatever its status; its body is read as it comes.
    package func open(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPClientStream {
        let id = try begin(request, isStream: true)
        return HTTPClientStream(try await head(of: id).get(), id: id, client: self)
    }

    private func begin(_ request: HTTPClientRequest, isStream: Bool) throws(HTTPClientError) -> UInt64 {
        if Task.isCancelled { throw .cancelled }
        let multi = unsafe try opened()
        lastID += 1
        let transfer = try Transfer(lastID, request, agent: request.agent ?? agent, isStream: isStream)
        guard unsafe curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else {
            throw .unusable(reason: "libcurl does not take it")
        }
        transfers[transfer.id] = transfer
        return transfer.id
    }

    /// The answer, or its head where the rest is read as it comes.
    private func head(of id: UInt64) async -> Result<HTTPClientResponse, HTTPClientError> {
        await withTaskCancellationHandler {
            await self.result(of: id)
        } onCancel: {
            loop.executeLater { self.assumeIsolated { $0.end(id, .failure(.cancelled)) } }
        }
    }

    /// Ends all requests and closes all connections.
    package func close() {
        isClosed = true
        for id in Array(transfers.keys) { end(id, .failure(.closed)) }
        if let multi = unsafe multi { _ = unsafe curl_multi_cleanup(multi) }
        unsafe multi = nil
        if let timer { loop.cancelTimer(timer) }
        timer = nil
    }

    private func opened() throws(HTTPClientError) -> UnsafeMutableRawPointer {
        if isClosed { throw .closed }
        if let multi = unsafe multi { return unsafe multi }
        // TLS writes to sockets whose peers may be gone.
        signal(SIGPIPE, SIG_IGN)
        let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
        guard Self.isReady,
            let multi = unsafe waymark_curl_multi(
                owner, CurlCallbacks.socket, CurlCallbacks.timer, limits.connections, limits.connectionsOfHost)
        else { throw .unusable(reason: "libcurl can't be started") }
        unsafe self.multi = multi
        return unsafe multi
    }

    /// On the loop, so that no transfer ends before there is a waiter.
    private func result(of id: UInt64) async -> Result<HTTPClientResponse, HTTPClientError> {
        await Waiter.suspend { waiter in
            loop.preconditionInLoop()
            guard let transfer = transfers[id] else { return waiter.resume(.failure(.cancelled)) }
            transfer.waiter = waiter
        }
    }

    private func end(_ id: UInt64, _ result: Result<HTTPClientResponse, HTTPClientError>) {
        guard let transfer = transfers.removeValue(forKey: id), let multi = unsafe multi else { return }
        _ = unsafe curl_multi_remove_handle(multi, transfer.easy)
        // A stream without its head has no reader yet.
        if let waiter = transfer.waiter { return waiter.resume(result) }
        guard let stream = transfer.stream else { return }
        ended[id] = transfer
        stream.finish(result.map { _ in })
    }
}

// MARK: answers that are read as they come

extension HTTPClient {
    /// The next bytes of an answer; none at its end.
    func next(of id: UInt64) async throws(HTTPClientError) -> [UInt8] {
        while true {
            guard let transfer = transfers[id] ?? ended[id], let stream = transfer.stream else {
                throw isClosed ? .closed : .cancelled
            }
            if let next = stream.next() {
                if stream.isPaused { goOn(transfer, stream) }
                return try next.get()
            }
            await withTaskCancellationHandler {
                await self.bytes(of: stream)
            } onCancel: {
                loop.executeLater { self.assumeIsolated { $0.end(id, .failure(.cancelled)) } }
            }
        }
    }

    /// Waits for something to read; on the loop, where it comes.
    private func bytes(of stream: StreamState) async {
        await Waiter.suspend { waiter in
            loop.preconditionInLoop()
            stream.wait(waiter)
        }
    }

    /// No reader is left.
    func drop(_ id: UInt64) {
        end(id, .failure(.cancelled))
        ended[id] = nil
    }

    private func goOn(_ transfer: Transfer, _ stream: StreamState) {
        stream.resumed()
        if transfers[transfer.id] != nil { _ = unsafe waymark_curl_go_on(transfer.easy) }
    }
}

// MARK: between libcurl and the loop

extension HTTPClient: TimerOwner, TurnEndObserver {
    package nonisolated func timerFired(_ tag: UInt32) {
        assumeIsolated { client in
            client.timer = nil
            client.act(CURL_SOCKET_BAD, 0)
        }
    }

    package nonisolated func turnEnded() {
        assumeIsolated { client in
            client.isDue = false
            client.act(CURL_SOCKET_BAD, 0)
        }
    }

    /// Lets libcurl work: a socket is ready, or its time has come.
    fileprivate func act(_ socket: Int32, _ ready: Int32) {
        guard let multi = unsafe multi else { return }
        var running: Int32 = 0
        _ = unsafe curl_multi_socket_action(multi, socket, ready, &running)
        var code = CURLE_OK
        while let easy = unsafe waymark_curl_done(multi, &code) {
            guard let owner = unsafe waymark_curl_owner(easy) else { continue }
            let transfer = unsafe Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
            end(transfer.id, transfer.result(code))
        }
    }

    /// libcurl wants to be called in so many milliseconds; not any more when negative. Every request begins with 0,
    /// which a timer would make a millisecond or two.
    fileprivate func setTimer(_ milliseconds: Int) {
        if let timer { loop.cancelTimer(timer) }
        timer = nil
        guard milliseconds > 0 else {
            if milliseconds == 0, !isDue { loop.atTurnEnd(self) }
            isDue = isDue || milliseconds == 0
            return
        }
        timer = loop.setTimer(.now + .milliseconds(milliseconds), owner: self, tag: 0)
    }

    /// libcurl waits for a socket, for something else of it, or no longer.
    fileprivate func watch(_ descriptor: Int32, _ interest: Int32) {
        guard interest != CURL_POLL_REMOVE else {
            let registration = sockets.removeValue(forKey: descriptor)?.registration
            if let registration { loop.deregister(descriptor, registration) }
            return
        }
        let read = interest == CURL_POLL_IN || interest == CURL_POLL_INOUT
        let write = interest == CURL_POLL_OUT || interest == CURL_POLL_INOUT
        do {
            let registration = try sockets[descriptor]?.registration ?? register(descriptor)
            try loop.watch(descriptor, registration, read: read, write: write)
        } catch {
            // No event of the socket is reported then; the request ends with its time-out.
            return
        }
    }

    private func register(_ descriptor: Int32) throws(SystemError) -> Registration {
        let socket = WatchedSocket(descriptor, self)
        let registration = try loop.register(descriptor, socket)
        socket.registration = registration
        sockets[descriptor] = socket
        return registration
    }
}

/// A socket of libcurl's.
private final class WatchedSocket: IOHandler {
    private let descriptor: Int32
    private unowned let client: HTTPClient
    var registration: Registration?

    init(_ descriptor: Int32, _ client: HTTPClient) {
        self.descriptor = descriptor
        self.client = client
    }

    func ready(read: Bool, write: Bool) {
        let bits = (read ? CURL_CSELECT_IN : 0) | (write ? CURL_CSELECT_OUT : 0)
        let descriptor = descriptor
        client.assumeIsolated { $0.act(descriptor, bits) }
    }
}

/// What libcurl calls, from within calls of the client's and so on its loop. The owner that it hands back is the
/// client, which closes it before it goes.
private enum CurlCallbacks {
    static let socket: curl_socket_callback = { _, descriptor, interest, owner, _ in
        guard let owner = unsafe owner else { return 0 }
        unsafe client(owner).assumeIsolated { $0.watch(descriptor, interest) }
        return 0
    }

    static let timer: curl_multi_timer_callback = { _, milliseconds, owner in
        guard let owner = unsafe owner else { return 0 }
        unsafe client(owner).assumeIsolated { $0.setTimer(milliseconds) }
        return 0
    }

    private static func client(_ owner: UnsafeMutableRawPointer) -> HTTPClient {
        unsafe Unmanaged<HTTPClient>.fromOpaque(owner).takeUnretainedValue()
    }
}
