internal import COpenSSL

/// The two byte queues between OpenSSL and the owner of the socket: OpenSSL does no I/O itself.
@safe
final class BytePipe {
    private var input: [UInt8] = []
    private var inputUsed = 0
    private var output: [UInt8] = []
    private var outputUsed = 0

    /// Memory that an empty queue keeps: one record and its overhead.
    private static let keptBytes = 20 << 10

    /// How many of the peer's bytes OpenSSL has not taken yet.
    var unreadCount: Int { input.count - inputUsed }

    /// Whether there is output to be sent.
    var hasOutput: Bool { outputUsed < output.count }

    /// Bytes of memory that the output uses.
    var outputCapacity: Int { output.capacity }

    /// The first byte not taken yet.
    var firstUnread: UInt8? { unreadCount > 0 ? input[inputUsed] : nil }

    /// Takes bytes from the peer.
    func receive(_ bytes: UnsafeRawBufferPointer) { unsafe input.append(contentsOf: bytes) }

    /// Lends the output to `body`, which returns how much of it was sent.
    func send<E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> Int) throws(E) {
        let sent = try unsafe output.withUnsafeBufferPointer { bytes throws(E) in
            try unsafe body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[outputUsed...])))
        }
        Self.use(sent, of: &output, &outputUsed)
    }

    private static func use(_ count: Int, of bytes: inout [UInt8], _ used: inout Int) {
        used += count
        guard used == bytes.count else { return }
        bytes.removeAll(keepingCapacity: bytes.capacity <= keptBytes)
        used = 0
    }

    /// Moves input into `room`; returns how much that was.
    private func take(into room: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(room.count, unreadCount)
        guard count > 0 else { return 0 }
        unsafe input.withUnsafeBytes { bytes in
            unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[inputUsed..<inputUsed + count]))
        }
        Self.use(count, of: &input, &inputUsed)
        return count
    }
}

// MARK: OpenSSL's side

extension BytePipe {
    /// A BIO that reads from and writes to the pipe. The pipe has to live longer.
    func makeBIO() -> OpaquePointer? {
        guard let bio = unsafe BIO_new(Self.method) else { return nil }
        unsafe BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        unsafe BIO_set_init(bio, 1)
        return unsafe bio
    }

    /// Made once, never changed and never freed.
    private nonisolated(unsafe) static let method: OpaquePointer? = {
        let method = unsafe BIO_meth_new(BIO_get_new_index() | Int32(BIO_TYPE_SOURCE_SINK), "waymark pipe")
        unsafe BIO_meth_set_read_ex(method) { bio, room, count, taken in
            guard let pipe = unsafe BytePipe.of(bio) else { return 0 }
            let moved = unsafe pipe.take(into: UnsafeMutableRawBufferPointer(start: room, count: count))
            unsafe taken?.pointee = moved
            unsafe moved > 0 ? waymark_ask_no_more(bio) : waymark_ask_again(bio)
            return moved > 0 ? 1 : 0
        }
        unsafe BIO_meth_set_write_ex(method) { bio, bytes, count, written in
            guard let pipe = unsafe BytePipe.of(bio) else { return 0 }
            unsafe pipe.output.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
            unsafe written?.pointee = count
            return 1
        }
        // The only command that matters: a flush has nothing to do.
        unsafe BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return unsafe method
    }()

    private static func of(_ bio: OpaquePointer?) -> BytePipe? {
        guard let data = unsafe BIO_get_data(bio) else { return nil }
        return unsafe Unmanaged<BytePipe>.fromOpaque(data).takeUnretainedValue()
    }
}
