package import EventLoops

/// Looks at every call of a server. Both steps are synchronous: whatever has to wait belongs into a handler.
package protocol ServerInterceptor: AnyObject, Sendable {
    /// Before the handler starts; may complete the context, or refuse the call.
    func admit(_ context: inout CallContext) throws(RPCError)
    /// After the call has ended, however it did. `error` is nil when it went well. The time is plain nanoseconds:
    /// this runs for every call.
    func finished(_ context: CallContext, _ error: RPCError?, nanoseconds: UInt64)
    /// A client was not let in: it did not show in TLS who it is. The address is nil when it has gone.
    func refused(_ address: SocketAddress?, _ reason: String)
}

extension ServerInterceptor {
    package func admit(_ context: inout CallContext) throws(RPCError) {}
    package func finished(_ context: CallContext, _ error: RPCError?, nanoseconds: UInt64) {}
    package func refused(_ address: SocketAddress?, _ reason: String) {}
}
