import CNghttp2

/// What a server of HTTP/2 tells its clients at the start (RFC 9113, 6.5.2).
enum HTTP2Settings {
    /// Requests that a client may have open at once on a connection.
    static let streams: UInt32 = 128
    /// Bytes of bodies that a client may send before they are read: on one stream, and on all together.
    static let streamWindow: UInt32 = 256 << 10
    static let connectionWindow: Int32 = 1 << 20

    static func submit(_ session: OpaquePointer, _ limits: HTTPLimits) {
        let entries = [
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), value: streams),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: streamWindow),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue), value: UInt32(limits.headBytes)),
        ]
        unsafe nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count)
        unsafe nghttp2_session_set_local_window_size(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, connectionWindow)
    }
}
