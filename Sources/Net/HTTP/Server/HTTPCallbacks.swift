import Bytes
import CMicrohttpd
import EventLoops
import HTTPGate

/// What libmicrohttpd calls, from within `MHD_run` and so on the daemon's loop. The owner pointer that it passes is the
/// daemon, which outlives it.
enum HTTPCallbacks {
    static let access: MHD_AccessHandlerCallback = { owner, connection, url, method, _, data, count, context in
        guard let owner = unsafe owner, let connection = unsafe connection, let count = unsafe count,
            let context = unsafe context
        else { return MHD_Result.NO }
        let daemon = unsafe daemon(owner)
        // All of it is used on the loop, before this returns.
        nonisolated(unsafe) let (raw, upload) = unsafe (
            context, UnsafeRawBufferPointer(start: data, count: count.pointee)
        )
        nonisolated(unsafe) let (request, first) = unsafe (connection, (method: method, target: url))
        let isAccepted = daemon.onLoop { daemon in
            guard let id = unsafe number(raw.pointee) else {
                let id = daemon.newID()
                unsafe raw.pointee = pointer(id)
                let line = unsafe RequestLine(method: text(first.method), target: text(first.target))
                return unsafe daemon.begin(id, request, line)
            }
            return unsafe upload.isEmpty ? daemon.complete(id) : daemon.received(id, upload)
        }
        unsafe count.pointee = 0
        return isAccepted ? MHD_Result.YES : MHD_Result.NO
    }

    static let completed: MHD_RequestCompletedCallback = { owner, connection, context, code in
        guard let owner = unsafe owner, let connection = unsafe connection, let id = unsafe number(context?.pointee)
        else { return }
        nonisolated(unsafe) let request = unsafe connection
        let isWhole = code == .REQUEST_TERMINATED_COMPLETED_OK
        // Only its address crosses; the daemon uses it on its own thread, the one that called this.
        unsafe daemon(owner).onLoop { daemon in
            daemon.ended(id)
            if !isWhole { unsafe daemon.brokenOff(request) }
        }
        unsafe context?.pointee = nil
    }

    static let connected: MHD_NotifyConnectionCallback = { owner, connection, context, code in
        guard let owner = unsafe owner, let connection = unsafe connection, let context = unsafe context else { return }
        let daemon = unsafe daemon(owner)
        if let id = unsafe number(context.pointee) {
            daemon.onLoop { $0.disconnected(id) }
            unsafe context.pointee = nil
        } else {
            let descriptor = unsafe waymark_http_socket(connection)
            unsafe context.pointee = pointer(daemon.onLoop { $0.connected(descriptor) })
        }
    }

    /// The next bytes of a streamed body.
    static let read: MHD_ContentReaderCallback = { owner, _, buffer, count in
        guard let owner = unsafe owner, let buffer = unsafe buffer else { return -2 }
        let body = unsafe Unmanaged<StreamedBody>.fromOpaque(owner).takeUnretainedValue()
        nonisolated(unsafe) let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count)
        return body.daemon.onLoop { unsafe $0.read(body.exchange, into: target) }
    }

    static let freeBody: MHD_ContentReaderFreeCallback = { owner in
        guard let owner = unsafe owner else { return }
        unsafe Unmanaged<StreamedBody>.fromOpaque(owner).release()
    }

    /// What was read from a socket for libmicrohttpd. Its owner is not the daemon but its gates.
    static let gate: waymark_http_gate = { owner, socket, bytes, count in
        guard let owner = unsafe owner else { return count }
        let read = unsafe UnsafeRawBufferPointer(start: bytes, count: max(count, 0))
        return unsafe Unmanaged<SocketGates>.fromOpaque(owner)._withUnsafeGuaranteedRef { gates in
            unsafe gates.passed(socket, read, count)
        }
    }

    private static func daemon(_ owner: UnsafeMutableRawPointer) -> HTTPDaemon {
        unsafe Unmanaged<HTTPDaemon>.fromOpaque(owner).takeUnretainedValue()
    }

    /// Our numbers are stored where libmicrohttpd keeps pointers; none is 0.
    private static func pointer(_ id: UInt64) -> UnsafeMutableRawPointer? {
        unsafe UnsafeMutableRawPointer(bitPattern: UInt(id))
    }

    private static func number(_ pointer: UnsafeMutableRawPointer?) -> UInt64? {
        unsafe pointer.map { UInt64(UInt(bitPattern: $0)) }
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        unsafe pointer.map { unsafe String(cString: $0).streamSafe } ?? ""
    }
}

/// What libmicrohttpd keeps for a body that is written while it is sent.
final class StreamedBody: Sendable {
    let daemon: HTTPDaemon
    let exchange: UInt64

    init(daemon: HTTPDaemon, exchange: UInt64) {
        self.daemon = daemon
        self.exchange = exchange
    }
}
