import CNghttp2
import EventLoops

/// What libnghttp2 calls while it reads or encodes, so on the connection's loop. The owner pointer that it passes is
/// the connection, which frees the session before it goes away.
enum HTTP2Callbacks {
    /// A session of a server; nil when there is no memory for one.
    static func newSession(_ owner: UnsafeMutableRawPointer) -> OpaquePointer? {
        var session: OpaquePointer?
        guard unsafe nghttp2_session_server_new2(&session, table, owner, options) == 0 else { return nil }
        return unsafe session
    }

    /// `nonisolated(unsafe)`: both are made once and never changed.
    private nonisolated(unsafe) static let options: OpaquePointer? = {
        var options: OpaquePointer?
        unsafe nghttp2_option_new(&options)
        // A part of a body makes room for more only when it was read.
        unsafe nghttp2_option_set_no_auto_window_update(options, 1)
        // Streams that have ended are not needed to tell priorities, which browsers no longer do by them.
        unsafe nghttp2_option_set_no_closed_streams(options, 1)
        return unsafe options
    }()

    /// `nonisolated(unsafe)`: as above.
    private nonisolated(unsafe) static let table: OpaquePointer? = {
        var table: OpaquePointer?
        unsafe nghttp2_session_callbacks_new(&table)
        unsafe nghttp2_session_callbacks_set_on_begin_frame_callback(table) { _, head, owner in
            guard let head = unsafe head, let owner = unsafe owner else { return failed }
            let begun = unsafe head.pointee
            unsafe connection(owner).onLoop { $0.frameBegins(begun) }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(table) { _, frame, owner in
            guard let frame = unsafe frame, let owner = unsafe owner else { return failed }
            let id = unsafe frame.pointee.hd.stream_id
            let isRequest = unsafe frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
            guard isRequest else { return 0 }
            return unsafe connection(owner).onLoop { $0.begins(id) } ? 0 : refused
        }
        unsafe nghttp2_session_callbacks_set_on_header_callback(table) {
            _, frame, name, nameCount, value, valueCount, _, owner in
            guard let frame = unsafe frame, let owner = unsafe owner else { return failed }
            let id = unsafe frame.pointee.hd.stream_id
            // Used on the loop before this returns.
            nonisolated(unsafe) let field = unsafe (
                UnsafeBufferPointer(start: name, count: nameCount), UnsafeBufferPointer(start: value, count: valueCount)
            )
            return unsafe connection(owner).onLoop { unsafe $0.field(id, field.0, field.1) } ? 0 : refused
        }
        // One that is not allowed is not passed over: others might read it.
        unsafe nghttp2_session_callbacks_set_on_invalid_header_callback(table) { _, _, _, _, _, _, _, _ in refused }
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(table) { _, frame, owner in
            guard let frame = unsafe frame, let owner = unsafe owner else { return failed }
            let head = unsafe frame.pointee.hd
            unsafe connection(owner).onLoop { connection in
                if head.type == NGHTTP2_HEADERS.rawValue { connection.headEnds(head.stream_id, isEnd: head.isEnd) }
                if head.type == NGHTTP2_DATA.rawValue, head.isEnd { connection.bodyEnds(head.stream_id) }
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(table) { _, _, id, bytes, count, owner in
            guard let owner = unsafe owner else { return failed }
            // Used on the loop before this returns.
            nonisolated(unsafe) let part = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
            unsafe connection(owner).onLoop { unsafe $0.received(id, part) }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_send_callback(table) { _, frame, owner in
            guard let frame = unsafe frame, let owner = unsafe owner else { return failed }
            let head = unsafe frame.pointee.hd
            unsafe connection(owner).onLoop { $0.frameSent(head) }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(table) { _, id, _, owner in
            guard let owner = unsafe owner else { return failed }
            unsafe connection(owner).onLoop { $0.closed(id) }
            return 0
        }
        return unsafe table
    }()

    /// The next bytes of an answer.
    static let read: nghttp2_data_source_read_callback = { _, id, room, count, flags, _, owner in
        guard let owner = unsafe owner, let room = unsafe room, let flags = unsafe flags else {
            return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
        }
        // Used on the loop before this returns.
        nonisolated(unsafe) let target = unsafe UnsafeMutableRawBufferPointer(start: room, count: count)
        let (result, set) = unsafe connection(owner).onLoop { unsafe $0.readAnswer(id, into: target) }
        unsafe flags.pointee |= set
        return result
    }

    private static let failed = Int32(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
    /// Resets the stream; the connection continues.
    private static let refused = Int32(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)

    private static func connection(_ owner: UnsafeMutableRawPointer) -> HTTP2Connection {
        unsafe Unmanaged<HTTP2Connection>.fromOpaque(owner).takeUnretainedValue()
    }
}
