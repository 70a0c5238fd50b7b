import Bytes
import Budgets
import CMicrohttpd
import EventLoops
import Glibc

// MARK: connections

extension HTTPDaemon {
    func connected(_ descriptor: Int32) -> UInt64 {
        let id = newID()
        guard let entry = entry.take() else { preconditionFailure("a connection that was not let in") }
        // A little less than libmicrohttpd has room for, so that the gate is the one that refuses a long head.
        let connection = HTTPConnection(descriptor, loop: loop, longestHead: limits.headBytes - 1024, entry)
        connection.allow(until: deadline(for: 0))
        connections[id] = connection
        gates.add(connection)
        return id
    }

    func disconnected(_ id: UInt64) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        connection.stop()
        gates.remove(connection)
        if let opening = connection.opening.take() { return goOn(connection, opening) }
        leave(id, connection)
    }

    /// The deadline for a body of so many bytes that began to move at `start`; nil: now.
    nonisolated func deadline(for bytes: Int, from start: MonotonicTime? = nil) -> MonotonicTime {
        let seconds = min(UInt64(clamping: bytes / limits.slowestRate), UInt64(UInt32.max))
        return (start ?? loop.now).advanced(byNanoseconds: patience).advanced(byNanoseconds: seconds * 1_000_000_000)
    }
}

// MARK: a request, as it arrives

extension HTTPDaemon {
    /// A request's head has arrived. False ends the connection.
    func begin(_ id: UInt64, _ connection: OpaquePointer, _ line: RequestLine) -> Bool {
        if isClosing { return false }
        let owner = unsafe UInt64(UInt(bitPattern: waymark_http_context(connection)))
        var headers = unsafe connection.fields(.HEADER_KIND)
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        headers.trim()
        let client = connections[owner]
        let arrived = unsafe server.arrived(
            line, .http1, query: connection.fields(.GET_ARGUMENT_KIND), headers: headers, length: length,
            from: client?.peer ?? "", client?.client)
        unsafe exchanges[id] = HTTPExchange(connection, of: client, arrived, declared: length, start: loop.now)
        guard let refusal = arrived.refusal else { return true }
        var response = arrived.work.refuse(arrived.request, refusal)
        // Sent before the body comes: no one reads on where a request may end in several places.
        response.headers.add("Connection", "close")
        return hand(response, id)
    }

    /// A part of the body has arrived. False ends the connection.
    func received(_ id: UInt64, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let exchange = exchanges[id] else { return false }
        switch exchange.state {
        case .receiving:
            let count = exchange.request.body.count + bytes.count
            guard count <= exchange.bodyLimit.bytes else { return refuse(exchange, exchange.bodyLimit.refusal) }
            let room = exchange.room(for: count)
            guard exchange.memory.hold(body: room) || evictSlowest(but: id) && exchange.memory.hold(body: room) else {
                return refuse(exchange, .tooMuch)
            }
            exchange.request.body.reserveCapacity(room)
            unsafe exchange.request.body.append(contentsOf: bytes)
            exchange.client?.allow(until: deadline(for: count, from: exchange.start))
            return true
        case .refusing:
            exchange.refused += bytes.count
            return exchange.refused <= limits.bodyBytes
        case .responding, .responded, .answered, .streaming: return false
        }
    }

    /// Reads on and discards what comes: a client that is still sending would not see the answer.
    private func refuse(_ exchange: HTTPExchange, _ refusal: HTTPRefusal) -> Bool {
        exchange.request.body = []
        _ = exchange.memory.hold(body: 0)
        var response = exchange.work.refuse(exchange.request, refusal)
        if refusal == .tooMuch { response.headers.add("Retry-After", "1") }
        exchange.state = .refusing(response)
        return true
    }

    /// The request is complete, or its connection continues after it was answered. False ends the connection.
    func complete(_ id: UInt64) -> Bool {
        guard let exchange = exchanges[id] else { return false }
        switch exchange.state {
        case .receiving: return isClosing ? false : respond(id, exchange)
        case .refusing(let response), .responded(let response): return hand(response, id)
        case .responding, .answered, .streaming: return true
        }
    }

    /// Ends the body with the lowest rate among those that have had their time; false when there is none.
    private func evictSlowest(but id: UInt64) -> Bool {
        let slow = exchanges.compactMap { other, exchange -> (id: UInt64, rate: Int)? in
            guard other != id, case .receiving = exchange.state, !exchange.request.body.isEmpty else { return nil }
            let time = loop.now.since(exchange.start)
            guard time >= limits.evictedAfter else { return nil }
            return (other, exchange.request.body.count / max(1, Int(time / .seconds(1))))
        }
        guard let slowest = slow.min(by: { $0.rate < $1.rate }), slowest.rate < limits.evictedRate,
            let exchange = exchanges[slowest.id]
        else { return false }
        // The part that has arrived must not be taken for the whole.
        _ = refuse(exchange, .tooMuch)
        exchange.client?.shut()
        return true
    }

    /// Runs the responder. If it never suspends, it has answered when this returns; otherwise the connection waits.
    private func respond(_ id: UInt64, _ exchange: HTTPExchange) -> Bool {
        exchange.client?.allow(until: nil)
        let request = exchange.request
        exchange.request.body = []
        let task = answer(id, request, exchange.work)
        if case .responded(let response) = exchange.state { return hand(response, id) }
        exchange.state = .responding(task)
        unsafe exchange.slowAnswer = SlowAnswer(
            self, id, waymark_http_socket(exchange.connection), limit: exchange.work.timeLimit)
        unsafe MHD_suspend_connection(exchange.connection)
        return true
    }

    /// Begins at once, and never leaves the loop. The task is not isolated to the actor: otherwise it would first be
    /// put into the loop's queue, because outside of a job the runtime does not know which actor is running.
    private nonisolated func answer(
        _ id: UInt64, _ request: HTTPRequest, _ work: any HTTPWork
    ) -> Task<Void, Never> {
        Task.immediate(executorPreference: loop) {
            await Sharer.$current.withValue(request.memory.sharer) {
                answered(id, await work.respond(to: request))
            }
        }
    }

    private nonisolated func answered(_ id: UInt64, _ response: HTTPResponse) {
        onLoop { $0.responded(id, response) }
    }

    func responded(_ id: UInt64, _ response: HTTPResponse) {
        guard let exchange = exchanges[id] else { return }
        switch exchange.state {
        case .receiving: exchange.state = .responded(held(response, by: exchange))
        case .responding:
            exchange.state = .responded(held(response, by: exchange))
            exchange.stopWatching()
            unsafe MHD_resume_connection(exchange.connection)
            runSoon()
        case .refusing, .responded, .answered, .streaming: break
        }
    }

    /// The answer, or another one when there is no memory to hold it until it is read.
    private func held(_ response: HTTPResponse, by exchange: HTTPExchange) -> HTTPResponse {
        if case .stream = response.body { return response }
        exchange.memory.forgetBody()
        guard case .bytes(let bytes) = response.body, !exchange.memory.hold(answer: bytes.count) else {
            return response
        }
        return full(exchange)
    }

    /// The answer where there is no memory for another one.
    func full(_ exchange: HTTPExchange) -> HTTPResponse {
        var refusal = exchange.work.refuse(exchange.request, .tooMuch)
        refusal.headers.add("Retry-After", "1")
        return refusal
    }

    /// The exchange is over: answered, or the connection is closed.
    func ended(_ id: UInt64) {
        guard let exchange = exchanges.removeValue(forKey: id) else { return }
        exchange.cancel()
        exchange.stopWatching()
        for writer in exchange.writers { writer.resume() }
        exchange.client?.allow(until: deadline(for: 0))
        checkDrained()
    }
}

extension OpaquePointer {
    /// What libmicrohttpd has read of a request.
    fileprivate func fields(_ kind: MHD_ValueKind) -> HTTPFields {
        var fields = HTTPFields()
        unsafe withUnsafeMutablePointer(to: &fields) { target in
            _ = unsafe MHD_get_connection_values(
                self, kind,
                { target, _, name, value in
                    guard let name = unsafe name else { return MHD_Result.YES }
                    let value = unsafe value.map { unsafe String(cString: $0) } ?? ""
                    unsafe target?.assumingMemoryBound(to: HTTPFields.self).pointee.add(
                        String(cString: name).streamSafe, value.streamSafe)
                    return MHD_Result.YES
                }, target)
        }
        return fields
    }
}
