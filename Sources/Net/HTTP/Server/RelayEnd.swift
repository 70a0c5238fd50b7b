import EventLoops
import Glibc

/// One of the two sockets of a relay, and what it is watched for.
final class RelayEnd {
    private let loop: EventLoop
    private var socket: Socket?
    private var registration: Registration?
    private var wants = (read: true, write: false)
    private var changed: () -> Void = {}
    /// Whether it is broken, or both sides have ended: nothing more comes than what can be read now.
    private(set) var isGone = false

    init(_ socket: consuming Socket, loop: EventLoop) {
        self.socket = consume socket
        self.loop = loop
    }

    /// Calls `body` whenever it can be read or written, until it is closed.
    func start(_ body: @escaping () -> Void) throws(SystemError) {
        guard let descriptor = socket?.descriptor else { return }
        registration = try loop.register(descriptor, self)
        changed = body
    }

    func watch(read: Bool, write: Bool) throws(SystemError) {
        guard wants != (read, write), let descriptor = socket?.descriptor, let registration else { return }
        try loop.watch(descriptor, registration, read: read, write: write)
        wants = (read, write)
    }

    func close() {
        stopWatching()
        socket = nil
        changed = {}
    }

    private func stopWatching() {
        if let descriptor = socket?.descriptor, let registration { loop.deregister(descriptor, registration) }
        registration = nil
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        try unsafe socket?.read(into: room) ?? nil
    }

    /// Reads from a peer on this machine: when it closes without having read all, that is an end too.
    func readOrEnd(into room: UnsafeMutableRawBufferPointer) -> Int? {
        do {
            return try unsafe read(into: room)
        } catch {
            return 0
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int? {
        try unsafe socket?.write(bytes) ?? nil
    }

    /// Writes what there is room for, and returns what is left. Bytes for a reader that has closed are dropped.
    func rest(afterWriting bytes: UnsafeRawBufferPointer) -> [UInt8] {
        guard unsafe !bytes.isEmpty else { return [] }
        do {
            return unsafe Array(bytes.dropFirst(try unsafe write(bytes) ?? 0))
        } catch {
            return []
        }
    }

    func stopWriting() { socket?.shutDownWriting() }
}

extension RelayEnd: IOHandler {
    func ready(read: Bool, write: Bool) {
        // Nothing else comes unasked, and this would come again and again.
        if read && !wants.read || write && !wants.write {
            isGone = true
            stopWatching()
        }
        changed()
    }
}
