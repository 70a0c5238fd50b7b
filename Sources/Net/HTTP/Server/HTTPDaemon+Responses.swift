import Budgets
import CMicrohttpd
import EventLoops
import Glibc

// MARK: answers out

extension HTTPDaemon {
    /// How much of a streamed body libmicrohttpd asks for at once. It allocates that much zeroed memory for each: as
    /// much as the heap can serve from memory it has (Decision 0026), since otherwise the kernel zeroes it page by
    /// page. Bodies of unknown length are many, idle most of the time, and sent from the memory kept for the
    /// connection.
    private static func blockBytes(_ count: Int?) -> Int { count == nil ? 8 << 10 : 60 << 10 }

    /// Passes the answer to libmicrohttpd. False ends the connection.
    func hand(_ response: HTTPResponse, _ id: UInt64) -> Bool {
        guard let exchange = exchanges[id] else { return false }
        exchange.state = .answered
        let message: OpaquePointer?
        switch response.body {
        case .bytes(let bytes):
            unsafe message = Self.message(bytes)
            exchange.client?.allow(until: deadline(for: bytes.count))
        case .file(let file, let offset, let count):
            unsafe message = Self.message(file, offset, count)
            exchange.client?.allow(until: deadline(for: count))
        case .stream(let count, let write):
            guard exchange.memory.hold(block: Self.blockBytes(count)) else { return hand(full(exchange), id) }
            unsafe message = streamed(id, count)
            unsafe begin(id, exchange.connection, isHead: exchange.request.method == "HEAD", write)
        }
        guard let message = unsafe message else { return false }
        defer { unsafe MHD_destroy_response(message) }
        for header in response.headers.all {
            // Passed directly, they would be copied.
            unsafe header.name.withCString { name in
                unsafe header.value.withCString { value in _ = unsafe MHD_add_response_header(message, name, value) }
            }
        }
        if exchange.request.method == "HEAD", response.isEndless { unsafe waymark_http_no_chunks(message) }
        if isDraining { _ = unsafe MHD_add_response_header(message, "Connection", "close") }
        return unsafe MHD_queue_response(exchange.connection, UInt32(clamping: response.status), message)
            == MHD_Result.YES
    }

    private static func message(_ bytes: [UInt8]) -> OpaquePointer? {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe MHD_create_response_from_buffer(
                bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
        }
    }

    private static func message(_ file: any ServedFile, _ offset: Int, _ count: Int) -> OpaquePointer? {
        // libmicrohttpd closes what it is given.
        let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        return unsafe MHD_create_response_from_fd_at_offset64(UInt64(count), descriptor, UInt64(offset))
    }

    private func streamed(_ id: UInt64, _ count: Int?) -> OpaquePointer? {
        let body = unsafe Unmanaged.passRetained(StreamedBody(daemon: self, exchange: id)).toOpaque()
        return unsafe MHD_create_response_from_callback(
            count.map { UInt64($0) } ?? UInt64.max, Self.blockBytes(count), HTTPCallbacks.read, body,
            HTTPCallbacks.freeBody)
    }

    /// Starts the writer of a streamed body. The body of a HEAD is not read.
    private func begin(
        _ id: UInt64, _ connection: OpaquePointer, isHead: Bool,
        _ write: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
    ) {
        if isHead { return }
        exchanges[id]?.hangUp = unsafe HangUpWatch(self, id, waymark_http_socket(connection))
        let writer = HTTPBodyWriter(sink: self, exchange: id)
        let task = stream(id, writer, exchanges[id]?.memory.sharer ?? .process, write)
        exchanges[id]?.state = .streaming(task)
        if isDraining { task.cancel() }
    }

    /// Begins at once, so that what is available already is sent with the head.
    private nonisolated func stream(
        _ id: UInt64, _ writer: HTTPBodyWriter, _ sharer: Sharer,
        _ write: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
    ) -> Task<Void, Never> {
        Task.immediate(executorPreference: loop) {
            do {
                try await Sharer.$current.withValue(sharer) { try await write(writer) }
                await self.written(id, isWhole: true)
            } catch {
                await self.written(id, isWhole: false)
            }
        }
    }
}

// MARK: streamed bodies

extension HTTPDaemon: HTTPBodySink {
    private static let endOfStream = -1
    private static let endWithError = -2

    /// libmicrohttpd asks for bytes; when there are none, the connection waits for them.
    func read(_ id: UInt64, into target: UnsafeMutableRawBufferPointer) -> Int {
        guard let exchange = exchanges[id] else { return Self.endWithError }
        let next = unsafe exchange.queue.read(into: target)
        switch next {
        case .bytes(let count):
            exchange.client?.allow(until: deadline(for: 0))
            _ = exchange.memory.hold(answer: exchange.queue.heldBytes)
            if exchange.queue.count < limits.streamBytes { resumeWriters(id) }
            return count
        case .nothingYet:
            exchange.isWaitingForBytes = true
            exchange.client?.allow(until: nil)
            unsafe MHD_suspend_connection(exchange.connection)
            return 0
        case .end: return Self.endOfStream
        case .failure: return Self.endWithError
        }
    }

    /// Takes the writer's bytes; it waits when many are queued already.
    func write(_ bytes: ArraySlice<UInt8>, _ id: UInt64) async throws {
        while let exchange = exchanges[id], exchange.queue.count >= limits.streamBytes {
            try Task.checkCancellation()
            await Waiter<Void>.suspend { exchange.writers.append($0) }
        }
        try Task.checkCancellation()
        try append(bytes, id)
    }

    /// Takes the writer's last bytes: few, and also from a task that was cancelled.
    func finish(_ bytes: [UInt8], _ trailers: HTTPFields?, _ id: UInt64) throws { try append(bytes[...], id) }

    private func append(_ bytes: ArraySlice<UInt8>, _ id: UInt64) throws {
        guard let exchange = exchanges[id], !exchange.queue.isFailed else { throw CancellationError() }
        if bytes.isEmpty { return }
        guard exchange.memory.hold(answer: exchange.queue.heldBytes + bytes.count) else { throw CancellationError() }
        exchange.queue.append(bytes)
        goOn(id)
    }

    private func written(_ id: UInt64, isWhole: Bool) {
        guard let exchange = exchanges[id] else { return }
        if isWhole { exchange.queue.end() } else { exchange.queue.fail() }
        goOn(id)
    }

    /// The reader has gone.
    func abandon(_ id: UInt64) {
        guard let exchange = exchanges[id] else { return }
        exchange.cancel()
        exchange.queue.fail()
        resumeWriters(id)
        goOn(id)
    }

    private func resumeWriters(_ id: UInt64) {
        guard let exchange = exchanges[id], !exchange.writers.isEmpty else { return }
        let writers = exchange.writers
        exchange.writers = []
        for writer in writers { writer.resume() }
    }

    /// Lets libmicrohttpd ask again, if it is waiting.
    private func goOn(_ id: UInt64) {
        guard let exchange = exchanges[id], exchange.isWaitingForBytes else { return }
        exchange.isWaitingForBytes = false
        unsafe MHD_resume_connection(exchange.connection)
        runSoon()
    }
}
